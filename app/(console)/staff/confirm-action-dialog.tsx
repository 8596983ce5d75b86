"use client";

import type { ReactNode } from "react";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import type { Action } from "@/lib/action";

type DeedDialogProps<Input, Data> = {
  words: { title: string; body: string; submit: string };
  tone?: "primary" | "negative";
  action: Action<Input, Data>;
  /** One intent per dialog, however often it is sent. */
  inputOf: (intentId: string) => Input;
  onDone: (data: Data) => void;
  onClose: () => void;
  children?: ReactNode;
};

export function DeedDialog<Input, Data>({
  words,
  action,
  inputOf,
  onDone,
  onClose,
  ...rest
}: DeedDialogProps<Input, Data>) {
  const { pending, failure, run } = useAction(action);
  return (
    <FormDialog
      title={words.title}
      description={words.body}
      submitLabel={words.submit}
      tone={rest.tone ?? "primary"}
      pending={pending}
      error={failure}
      isWritten={false}
      onSubmit={(_, intentId) => run(inputOf(intentId), onDone)}
      onClose={onClose}
    >
      {rest.children}
    </FormDialog>
  );
}
