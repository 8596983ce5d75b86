import { useTranslations } from "next-intl";
import { cn } from "@/lib/cn";
import { FieldFrame, INPUT_CLASS, useField } from "@/components/ui/field";

type ReasonFieldProps = { value: string; limit: number; error: string | undefined; onChange: (value: string) => void };

/** The reason with its count. Too long a text stays as it was typed or pasted: it is the writer who shortens it. */
export function ReasonField({ value, limit, error, onChange }: ReasonFieldProps) {
  const t = useTranslations();
  const isTooLong = value.length > limit;
  const problem = isTooLong ? t("kyc.reasonTooLong", { limit }) : error;
  const hint = t("kyc.reasonHint");
  const field = useField({ hint, error: problem });
  const count = (
    <span aria-hidden className={cn("text-sm tabular-nums", isTooLong ? "font-medium text-negative" : "text-muted")}>
      {value.length}/{limit}
    </span>
  );
  return (
    <FieldFrame id={field.id} label={t("kyc.reason")} hint={hint} error={problem} aside={count}>
      <textarea
        {...field}
        name="reason"
        rows={4}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cn(INPUT_CLASS, "block min-h-24 resize-y py-2")}
      />
      <span aria-live="polite" className="sr-only">
        {value.length > 0 ? t("kyc.reasonCount", { used: value.length, limit }) : null}
      </span>
    </FieldFrame>
  );
}
