"use client";

import { type FocusEvent, useEffect, useEffectEvent, useState } from "react";
import type { Action } from "@/lib/action";
import type { Failure } from "@/lib/errors/result";
import { useAction } from "@/components/session/use-action";

/** A mark that moves a button during a press loses the click. */
function whenReleased(mark: () => void): void {
  if (document.querySelector(":is(a, button, label):active") === null) mark();
  else window.addEventListener("pointerup", mark, { once: true });
}

/** For a form's `onBlur`. */
export const tellLeft =
  (leave: (name: string) => void) =>
  ({ target }: FocusEvent<HTMLFormElement>): void => {
    if ("name" in target && typeof target.name === "string" && target.name !== "") leave(target.name);
  };

type LeftFieldsDeps<Input> = {
  check: Action<Input, unknown>;
  typed: () => Input;
  value: (name: string) => string;
  note: (wrong: Record<string, string>) => void;
};

type Wrong = Readonly<Record<string, string>>;

/** The errors of fields whose value is still the checked one, by field name. */
export const stillTyped = (fields: Wrong, asked: ReadonlyMap<string, string>, value: (name: string) => string) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => asked.get(name) === value(name)));

/** Checks the whole form when a field is left, and keeps the errors of visited fields. */
export function useLeftFields<Input>({ check, typed, value, note }: LeftFieldsDeps<Input>): (name: string) => void {
  const { pending, run } = useAction(check);
  const [left, setLeft] = useState<readonly string[]>([]);
  const valueNow = useEffectEvent(value);
  const checkLeft = useEffectEvent(() => {
    const asked = new Map(left.map((name) => [name, value(name)]));
    const mark = ({ fields = {} }: Failure) =>
      whenReleased(() => note(stillTyped(fields, asked, (name) => valueNow(name))));
    setLeft((names) => names.slice(left.length));
    run(typed(), () => undefined, mark);
  });
  const isFree = !pending;
  useEffect(() => {
    if (left.length > 0 && isFree) queueMicrotask(() => checkLeft());
  }, [left, isFree]);
  return (name) => setLeft((names) => [...names, name]);
}
