import { useTranslations } from "next-intl";
import { useEffect, useId, useRef } from "react";
import { Button } from "@/components/ui/button";

type DiscardQuestionProps = { question?: string; onSave: () => void; onDiscard: () => void };

/** The first button keeps the text. */
export function DiscardQuestion({ question, onSave, onDiscard }: DiscardQuestionProps) {
  const t = useTranslations("discard");
  const id = useId();
  const keepButton = useRef<HTMLButtonElement>(null);

  useEffect(() => keepButton.current?.focus(), []);

  return (
    <fieldset aria-labelledby={id} className="flex flex-wrap items-center justify-end gap-2">
      <p id={id} className="mr-auto font-medium">
        {question ?? t("question")}
      </p>
      <div className="flex gap-2">
        <Button ref={keepButton} aria-describedby={id} onClick={onSave}>
          {t("keep")}
        </Button>
        <Button tone="negative" onClick={onDiscard}>
          {t("discard")}
        </Button>
      </div>
    </fieldset>
  );
}
