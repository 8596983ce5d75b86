import { useTranslations } from "next-intl";
import { cn } from "@/lib/cn";
import { SENT_BY_KEYS } from "@/components/ui/send-by-keys";
import { FieldFrame, useField } from "@/components/ui/field";
import { INPUT_CLASS } from "@/components/ui/input-class";

type ReasonFieldProps = {
  value: string;
  /** What is sent, of which this is the end. */
  told: string;
  limit: number;
  error: string | undefined;
  onChange: (value: string) => void;
};

/** What is added to the reason, with the count of all that is sent. Too long a text stays as it was typed or pasted. */
export function ReasonField({ value, told, limit, error, onChange }: ReasonFieldProps) {
  const t = useTranslations("kyc");
  const isTooLong = told.length > limit;
  const problem = isTooLong ? t("reasonTooLong", { limit }) : error;
  const hint = t("additionHint");
  const field = useField({ hint, error: problem });
  const count = (
    <span aria-hidden className={cn("text-sm tabular-nums", isTooLong ? "font-medium text-negative" : "text-muted")}>
      {told.length}/{limit}
    </span>
  );
  return (
    <FieldFrame id={field.id} label={t("addition")} hint={hint} error={problem} aside={count}>
      <textarea
        {...field}
        {...SENT_BY_KEYS}
        name="addition"
        rows={2}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cn(INPUT_CLASS, "block min-h-14 scroll-mb-18 resize-y py-2")}
      />
      <span aria-live="polite" className="sr-only">
        {value.length > 0 ? t("reasonCount", { used: told.length, limit }) : null}
      </span>
    </FieldFrame>
  );
}
