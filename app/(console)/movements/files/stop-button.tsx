"use client";

import { useTranslations } from "next-intl";
import { useRefresh } from "@/components/live/live-refresh";
import { useAction } from "@/components/session/use-action";
import { Button } from "@/components/ui/button";
import { stopMovements } from "@/lib/movements/actions";

export function StopButton({ id, label }: { id: string; label: string }) {
  const t = useTranslations("movements");
  const refresh = useRefresh();
  const { pending, failure, run } = useAction(stopMovements);
  return (
    <>
      <Button size="small" aria-label={label} isBusy={pending} onClick={() => run({ id }, refresh)}>
        {t("stop")}
      </Button>
      <span aria-live="assertive" className="block text-sm whitespace-normal text-negative">
        {failure?.message}
      </span>
    </>
  );
}
