import { useTranslations } from "next-intl";
import { useId } from "react";
import { Button } from "@/components/ui/button";

type SaveBarProps = { save: string; isChanged: boolean; pending: boolean; onDiscard: () => void };

export function SaveBar({ save, isChanged, pending, onDiscard }: SaveBarProps) {
  const id = useId();
  const t = useTranslations();
  return (
    <div className="sticky bottom-0 flex flex-wrap items-center gap-2 border-t border-line bg-surface py-3">
      <Button
        type="submit"
        tone="primary"
        isBusy={pending}
        aria-disabled={!isChanged || undefined}
        aria-describedby={id}
      >
        {pending ? t("common.inProgress") : save}
      </Button>
      {isChanged ? <Button onClick={onDiscard}>{t("settings.discard")}</Button> : null}
      <span id={id} className="text-sm text-muted">
        {t(isChanged ? "settings.changed" : "settings.unchanged")}
      </span>
    </div>
  );
}
