import { Lock } from "lucide-react";
import { useTranslations } from "next-intl";
import { cn } from "@/lib/cn";
import { SENT_BY_KEYS } from "@/components/ui/send-by-keys";
import { FieldFrame, useField } from "@/components/ui/field";
import { INPUT_CLASS } from "@/components/ui/input-class";

type NoteFieldProps = { value: string; error: string | undefined; onChange: (value: string) => void };

/** What the team alone reads, set apart from what is sent. */
export function NoteField({ value, error, onChange }: NoteFieldProps) {
  const t = useTranslations("kyc");
  const hint = t("noteHint");
  const field = useField({ hint, error });
  return (
    <div className="rounded border border-dashed border-line-strong bg-canvas px-3 py-2.5">
      <FieldFrame
        id={field.id}
        label={t("note")}
        hint={hint}
        error={error}
        aside={
          <span className="flex items-center gap-1.5 text-sm text-muted">
            <Lock aria-hidden size={13} />
            {t("teamOnly")}
          </span>
        }
      >
        <textarea
          {...field}
          {...SENT_BY_KEYS}
          name="note"
          rows={2}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={cn(INPUT_CLASS, "block min-h-14 resize-y py-2")}
        />
      </FieldFrame>
    </div>
  );
}
