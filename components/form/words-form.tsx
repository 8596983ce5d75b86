"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, type SubmitEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { Action } from "@/lib/action";
import { cn } from "@/components/ui/cn";
import { newIntentId } from "@/lib/text/intent";
import type { CountedText } from "./fields";
import { useUnsaved, useUnsent } from "@/components/session/scope";
import { FailureText } from "@/components/layout/failure-text";
import { useAction } from "@/components/session/use-action";

type WordsFormProps<Input, Data> = {
  /** Key for unsent text in this tab. */
  about: string;
  limit: number;
  add: Action<Input, Data>;
  /** `id` makes a repeat harmless. */
  inputOf: (written: { id: string; text: string }) => Input;
  labels: { missing: string; done: string; submit: string };
  className: string;
  /** Full height once focused: what lies below must not move under a press. */
  startsFolded?: boolean;
  renderField: (written: CountedText) => ReactNode;
};

export function WordsForm<Input, Data>(props: WordsFormProps<Input, Data>) {
  const { about, limit, add, inputOf, labels, className, startsFolded = false, renderField } = props;
  const [isFolded, setFolded] = useState(startsFolded);
  const router = useRouter();
  const { pending, failure, run } = useAction(add);
  const [text, setText] = useUnsent(about);
  const [id, setId] = useState(newIntentId);
  const [isChecked, setChecked] = useState(false);
  const [isDone, setDone] = useState(false);
  useUnsaved(text.trim() !== "");
  const missing = isChecked && text.trim() === "" ? labels.missing : undefined;

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    if (text.trim() === "" || text.length > limit) {
      event.currentTarget.querySelector("textarea")?.focus();
      return;
    }
    run(inputOf({ id, text }), () => {
      setText("");
      setId(newIntentId());
      setChecked(false);
      setDone(true);
      router.refresh();
    });
  };
  const write = (written: string) => {
    setText(written);
    setDone(false);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears events of every field within
    <form
      method="post"
      noValidate
      onSubmit={submit}
      onFocus={() => setFolded(false)}
      className={cn("px-5", isFolded && "folded-form", className)}
    >
      {renderField({ value: text, limit, error: missing ?? failure?.fields?.["text"], onChange: write })}
      {failure && failure.fields === undefined ? (
        <Notice tone="negative" live="assertive">
          <FailureText failure={failure} />
        </Notice>
      ) : null}
      <div className="flex items-center justify-end gap-3">
        <span aria-live="polite" className="text-sm text-muted">
          {isDone ? labels.done : null}
        </span>
        <Button type="submit" isBusy={pending}>
          {labels.submit}
        </Button>
      </div>
    </form>
  );
}
