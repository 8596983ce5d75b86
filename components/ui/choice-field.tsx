import { type ReactNode, useLayoutEffect, useRef } from "react";
import { cn } from "./cn";
import { FieldNotes, useField } from "./field";

type ChoiceFieldProps = {
  legend: string;
  aside?: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  children: ReactNode;
};

export function ChoiceField({ legend, aside, hint, error, children }: ChoiceFieldProps) {
  const { id, "aria-describedby": describedBy } = useField({ hint, error });
  return (
    <fieldset className="group/choice" data-invalid={error ? true : undefined} aria-describedby={describedBy}>
      <legend className="mb-1.5 flex w-full items-baseline justify-between gap-3">
        <span className="text-sm font-medium">{legend}</span>
        {aside === undefined ? null : (
          <span aria-hidden className="text-sm text-muted tabular-nums">
            {aside}
          </span>
        )}
      </legend>
      {children}
      <FieldNotes id={id} hint={hint} error={error} />
    </fieldset>
  );
}

const ACCENT_LOOK = "has-checked:border-accent has-checked:bg-accent-tint";

type RadioTileProps = {
  name: string;
  value: string;
  isChosen: boolean;
  onChoose: () => void;
  says?: { name: string; more: string };
  chosenLook?: string;
  className?: string;
  children: ReactNode;
};

export function RadioTile({
  name,
  value,
  isChosen,
  onChoose,
  says,
  chosenLook = ACCENT_LOOK,
  className,
  children,
}: RadioTileProps) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (input.current?.checked === true && !isChosen) onChoose();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- as `useEarlyText`
  }, []);
  return (
    <label
      className={cn(
        "relative cursor-pointer rounded border border-control group-data-[invalid]/choice:border-negative has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
        chosenLook,
        className,
      )}
    >
      <input
        ref={input}
        type="radio"
        name={name}
        value={value}
        checked={isChosen}
        aria-label={says?.name}
        aria-describedby={says?.more}
        onChange={onChoose}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
      {children}
    </label>
  );
}
