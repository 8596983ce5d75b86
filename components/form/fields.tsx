import { type ReactNode, useId } from "react";
import { FieldFrame, useEarlyText, useField } from "@/components/ui/field";
import { SENT_BY_KEYS } from "@/components/ui/send-by-keys";
import { cn, INPUT_CLASS } from "@/components/ui/cn";

export type CountedText = {
  value: string;
  limit: number;
  error: string | undefined;
  onChange: (value: string) => void;
};

type CountedFieldProps = CountedText & {
  label: string;
  name?: string;
  hint: string;
  tooLong: string;
  isSentByKeys?: boolean;
  children?: ReactNode;
};

/** An overlong text stays for its writer to shorten. */
export function CountedField({
  label,
  name,
  hint,
  tooLong,
  isSentByKeys = false,
  children,
  ...text
}: CountedFieldProps) {
  const { value, limit, error, onChange } = text;
  const isTooLong = value.length > limit;
  const problem = isTooLong ? tooLong : error;
  const field = useField({ hint, error: problem });
  useEarlyText(field.id, value, ({ target }) => onChange(target.value));
  const count = (
    <span aria-hidden className={cn("text-sm tabular-nums", isTooLong ? "font-medium text-negative" : "text-muted")}>
      {value.length}/{limit}
    </span>
  );
  return (
    <FieldFrame id={field.id} label={label} hint={hint} error={problem} aside={count}>
      <textarea
        {...field}
        {...(isSentByKeys ? SENT_BY_KEYS : {})}
        name={name}
        rows={3}
        placeholder=" "
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cn(INPUT_CLASS, "block min-h-20 resize-y py-2")}
      />
      {children}
    </FieldFrame>
  );
}

type FormSectionProps = { title: string; lead: string; children: ReactNode };

export function FormSection({ title, lead, children }: FormSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-10 gap-y-4 border-b border-line py-6 @medium:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <div>
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        <p className="mt-1 text-sm text-muted">{lead}</p>
      </div>
      <div className="max-w-2xl space-y-4">{children}</div>
    </section>
  );
}
