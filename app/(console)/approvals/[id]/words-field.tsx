import { useTranslations } from "next-intl";
import { FieldFrame, INPUT_CLASS, useField } from "@/components/ui/field";
import { cn } from "@/lib/cn";

type WordsFieldProps = {
  label: string;
  hint: string;
  value: string;
  limit: number;
  error: string | undefined;
  onChange: (value: string) => void;
};

/** A few sentences with their count. Too long a text stays as it was written: it is the writer who shortens it. */
export function WordsField({ label, hint, value, limit, error, onChange }: WordsFieldProps) {
  const t = useTranslations("approvals");
  const isTooLong = value.length > limit;
  const problem = isTooLong ? t("tooLong", { limit }) : error;
  const field = useField({ hint, error: problem });
  const count = (
    <span aria-hidden className={cn("text-sm tabular-nums", isTooLong ? "font-medium text-negative" : "text-muted")}>
      {value.length}/{limit}
    </span>
  );
  return (
    <FieldFrame id={field.id} label={label} hint={hint} error={problem} aside={count}>
      <textarea
        {...field}
        rows={3}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cn(INPUT_CLASS, "block min-h-20 resize-y py-2")}
      />
      <span aria-live="polite" className="sr-only">
        {value.length > 0 ? t("count", { used: value.length, limit }) : null}
      </span>
    </FieldFrame>
  );
}
