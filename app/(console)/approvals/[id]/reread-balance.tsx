"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { useRead } from "@/components/session/use-read";
import { Button } from "@/components/ui/button";

export function RereadBalance({ accountRef }: { accountRef: string }) {
  const t = useTranslations("approvals.payer");
  const router = useRouter();
  const read = useRead();
  const [pending, startReading] = useTransition();
  const [hasFailed, setFailed] = useState(false);
  const reread = () =>
    startReading(async () => {
      const isRead = await read(`/api/accounts/${accountRef}/balance`, AbortSignal.timeout(30_000)).then(
        () => true,
        () => false,
      );
      startReading(() => {
        setFailed(!isRead);
        router.refresh();
      });
    });
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 pt-2">
      <Button size="small" isBusy={pending} onClick={reread}>
        {t("reread")}
      </Button>
      <output>{hasFailed && !pending ? t("rereadFailed") : null}</output>
    </p>
  );
}
