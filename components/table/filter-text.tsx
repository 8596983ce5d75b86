"use client";

import { type ComponentProps, useEffect, useRef, useState } from "react";
import { FieldNotes, useField } from "@/components/ui/field";
import { CONTROL } from "./filter-bar";

type CheckedProps = ComponentProps<"input"> & {
  label: string;
  misfit?: string;
  problem?: string | undefined;
  /** The form waits, then is sent by itself. */
  isUnread?: boolean;
  wasTried?: boolean;
  /** The refused text; null once it changes. */
  onStopped?: (typed: string | null) => void;
};

/** An invalid value stays as typed, with its error, and is not applied. */
export function Checked({
  label,
  misfit = "",
  problem,
  isUnread = false,
  wasTried = false,
  onStopped,
  ...input
}: CheckedProps) {
  const [isTried, setTried] = useState(wasTried);
  const element = useRef<HTMLInputElement>(null);
  const isHeld = useRef(false);
  const said = problem ?? misfit;
  const error = isTried && said !== "" ? said : undefined;
  const field = useField({ error });

  // The browser blocks the form without its own message.
  useEffect(() => element.current?.setCustomValidity(problem ?? (isUnread ? "…" : "")), [problem, isUnread]);
  useEffect(() => {
    if (isUnread || !isHeld.current) return;
    isHeld.current = false;
    element.current?.form?.requestSubmit();
  }, [isUnread]);

  return (
    <>
      <input
        {...input}
        {...field}
        ref={element}
        placeholder={label}
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        onInput={() => {
          if (problem === undefined) setTried(false);
          isHeld.current = false;
          onStopped?.(null);
        }}
        onBlur={() => {
          if (problem) setTried(true);
        }}
        onInvalid={(event) => {
          event.preventDefault();
          isHeld.current = isUnread;
          if (isUnread && problem === undefined) return;
          setTried(true);
          onStopped?.(event.currentTarget.value);
          if (event.currentTarget.form?.querySelector(":invalid") === event.currentTarget) event.currentTarget.focus();
        }}
        className={CONTROL}
      />
      <FieldNotes id={field.id} error={error} />
    </>
  );
}
