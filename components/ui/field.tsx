import { type ComponentProps, type ReactNode, useId, useEffectEvent, useLayoutEffect } from "react";
import { cn, INPUT_CLASS } from "./cn";

type FieldText = { label: string; hint?: ReactNode; error?: string | undefined };

export function useField({ hint, error }: Pick<FieldText, "hint" | "error">) {
  const id = useId();
  const described = [error ? `${id}-error` : "", hint ? `${id}-hint` : ""].filter(Boolean).join(" ");
  return { id, "aria-invalid": error ? true : undefined, "aria-describedby": described || undefined } as const;
}

type FieldNotesProps = Pick<FieldText, "hint" | "error"> & { id: string };

export function FieldNotes({ id, hint, error }: FieldNotesProps) {
  return (
    <>
      {error ? (
        <p id={`${id}-error`} className="mt-1.5 text-sm text-negative">
          {error}
        </p>
      ) : null}
      {hint ? (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
          {hint}
        </p>
      ) : null}
    </>
  );
}

type FieldFrameProps = FieldText & { id: string; aside?: ReactNode; children: ReactNode };

export function FieldFrame({ id, label, hint, error, aside, children }: FieldFrameProps) {
  return (
    <div>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside}
      </div>
      {children}
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

export type Typed = { target: HTMLInputElement | HTMLTextAreaElement };

/** Hydration keeps text typed before it, but a text area's, without telling the controlled field. */
export function useEarlyText(id: string, value: unknown, report: ((typed: Typed) => void) | undefined): void {
  const tell = useEffectEvent(() => {
    const target = document.getElementById(id);
    const isArea = target instanceof HTMLTextAreaElement;
    if (value === undefined || !(isArea || target instanceof HTMLInputElement)) return;
    if (isArea) target.value = target.dataset["typed"] ?? target.value;
    if (target.value !== value) report?.({ target });
  });
  useLayoutEffect(() => tell(), []);
}

export function useEarlyChoice(id: string, value: string, report: (value: string) => void): void {
  const tell = useEffectEvent(() => {
    const target = document.getElementById(id);
    if (target instanceof HTMLSelectElement && target.value !== value) report(target.value);
  });
  useLayoutEffect(() => tell(), []);
}

type TextFieldProps = Omit<ComponentProps<"input">, "onChange"> & FieldText & { onChange?: (typed: Typed) => void };

export function TextField({ label, hint, error, className, ...input }: TextFieldProps) {
  const field = useField({ hint, error });
  useEarlyText(field.id, input.value, input.onChange);
  return (
    <FieldFrame id={field.id} label={label} hint={hint} error={error}>
      <input {...input} {...field} className={cn(INPUT_CLASS, "h-9", className)} />
    </FieldFrame>
  );
}
