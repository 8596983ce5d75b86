"use client";

import { type FocusEvent, useEffect, useEffectEvent, useState } from "react";
import type { Action } from "@/lib/action";
import type { Failure } from "@/lib/errors/result";
import { useAction } from "@/components/session/use-action";

/** A mark that moves a button while it is pressed loses the click. */
function whenReleased(mark: () => void): void {
  if (document.querySelector(":is(a, button, label):active") === null) mark();
  else window.addEventListener("pointerup", mark, { once: true });
}

/** For `onBlur` of a form. */
export const tellLeft =
  (leave: (name: string) => void) =>
  ({ target }: FocusEvent<HTMLFormElement>): void => {
    if ("name" in target && typeof target.name === "string" && target.name !== "") leave(target.name);
  };

type LeftFieldsDeps<Input> = {
  check: Action<Input, unknown>;
  typed: () => Input;
  /** Of a field, as it is typed now. */
  value: (name: string) => string;
  note: (wrong: Record<string, string>) => void;
};

type Wrong = Readonly<Record<string, string>>;

/** What is wrong of the fields that still hold what was `asked` about, by their names. */
export const stillTyped = (fields: Wrong, asked: ReadonlyMap<string, string>, value: (name: string) => string) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => asked.get(name) === value(name)));

/** Checks the whole form whenever a field is left, and notes what is wrong of the fields that were left. */
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
