"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { useAnnounce } from "@/components/layout/announcer";
import { FailureText } from "@/components/layout/failure-text";
import { useRefresh } from "@/components/live/live-refresh";
import { useAction } from "@/components/session/use-action";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import { readAgain } from "@/lib/position/actions";
import type { Position } from "@/lib/position/queries";

/** `cost` null: it is being read already. */
type ReadAgainButtonProps = { day: string; cost: Position["againCost"]; denial: string | null };

export function ReadAgainButton({ day, cost, denial }: ReadAgainButtonProps) {
  const t = useTranslations("position.again");
  const refresh = useRefresh();
  const announce = useAnnounce();
  const hint = useId();
  const { pending, failure, run } = useAction(readAgain);
  const ask = () =>
    run({ day }, ({ isBegun }) => {
      if (!isBegun) announce(t("already"));
      refresh();
    });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span id={hint} className="text-sm text-muted tabular-nums">
        {cost === null || denial !== null ? null : t("cost", cost)}
      </span>
      {denial === null ? (
        <Button isBusy={pending || cost === null} aria-describedby={hint} onClick={() => cost !== null && ask()}>
          {t("button")}
        </Button>
      ) : (
        <DeniedButton reason={denial} className={buttonClass("plain")}>
          {t("button")}
        </DeniedButton>
      )}
      <span aria-live="assertive" className="text-sm text-negative empty:hidden">
        {failure === null ? null : <FailureText failure={failure} />}
      </span>
    </div>
  );
}
