import { type ReactNode, useId } from "react";

type FormSectionProps = { title: string; lead: string; children: ReactNode };

/** A part of the form, what it is about beside its fields. */
export function FormSection({ title, lead, children }: FormSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-10 gap-y-4 border-b border-line py-6 lg:grid-cols-[15rem_minmax(0,1fr)]"
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
