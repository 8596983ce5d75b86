"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/session/use-action";
import { FailureText } from "@/components/layout/failure-text";
import { Button } from "@/components/ui/button";
import { checkHold } from "@/lib/transfers/actions";

export function CheckHold({ intentId }: { intentId: string }) {
  const t = useTranslations("transfers");
  const router = useRouter();
  const { pending, failure, run } = useAction(checkHold);
  const [isStillHeld, setStillHeld] = useState(false);
  const check = () =>
    run({ intentId }, ({ isHeld }) => {
      setStillHeld(isHeld);
      router.refresh();
    });
  return (
    <>
      <Button size="small" isBusy={pending} onClick={check}>
        {t("checkNow")}
      </Button>
      <output>{failure === null && isStillHeld && !pending ? t("stillHeld") : null}</output>
      {failure === null ? null : (
        <span role="alert">
          <FailureText failure={failure} />
        </span>
      )}
    </>
  );
}
