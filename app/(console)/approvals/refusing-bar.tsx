"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirmation } from "@/components/layout/confirmation";
import { Button } from "@/components/ui/button";
import { RefuseManyDialog } from "./refuse-many-dialog";

type RefusingBarProps = {
  ids: readonly string[];
  said: string | null;
  onClear: () => void;
  onDone: (sentence: string) => void;
  onDismiss: () => void;
};

export function RefusingBar({ ids, said, onClear, onDone, onDismiss }: RefusingBarProps) {
  const t = useTranslations("approvals.many");
  const [isOpen, setOpen] = useState(false);
  const done = (sentence: string) => {
    setOpen(false);
    onDone(sentence);
  };
  return (
    <>
      {ids.length === 0 ? null : (
        <section
          aria-label={t("bar")}
          className="sticky bottom-0 z-2 flex flex-wrap items-center gap-2 border-t border-line bg-raised px-5 py-2.5"
        >
          <p aria-live="polite" className="mr-auto">
            {t("selected", { count: ids.length })}
          </p>
          <Button onClick={onClear}>{t("clear")}</Button>
          <Button tone="negative" onClick={() => setOpen(true)}>
            {t("refuse")}
          </Button>
        </section>
      )}
      {isOpen ? <RefuseManyDialog ids={ids} onClose={() => setOpen(false)} onDone={done} /> : null}
      <Confirmation onDismiss={onDismiss}>{said}</Confirmation>
    </>
  );
}
