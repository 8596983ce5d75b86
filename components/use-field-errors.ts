"use client";

import { useState } from "react";
import type { HeldDraft } from "./use-draft";

/** What the fields of a long form stand on: what was typed, and what is wrong with it, by the field's dotted path. */
export type Fields = {
  value: (name: string) => string;
  error: (name: string) => string | undefined;
  set: (name: string, value: string) => void;
};

export type FieldErrors = {
  fields: Fields;
  /** By the dotted path of the field. */
  errors: Readonly<Record<string, string>>;
  /** Counts the times that something was found wrong. */
  attempts: number;
  show: (wrong: Record<string, string>) => void;
  forget: () => void;
};

const itself = (name: string): readonly string[] => [name];

/** What is wrong with which field, until somebody corrects it; `correctedBy` names what a field's correction settles. */
export function useFieldErrors(draft: HeldDraft, correctedBy = itself): FieldErrors {
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [attempts, setAttempts] = useState(0);
  const fields: Fields = {
    value: draft.value,
    error: (name) => errors[name],
    set: (name, value) => {
      draft.set({ [name]: value });
      const corrected = correctedBy(name);
      setErrors((wrong) => Object.fromEntries(Object.entries(wrong).filter(([field]) => !corrected.includes(field))));
    },
  };
  const show = (wrong: Record<string, string>) => {
    setErrors(wrong);
    setAttempts((before) => before + 1);
  };
  return { fields, errors, attempts, show, forget: () => setErrors({}) };
}
