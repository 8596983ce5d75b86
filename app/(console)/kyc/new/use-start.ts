"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { type Fields, type FormDraft, useDraft, useFieldErrors } from "@/components/form/draft-saver";
import { useLeftFields } from "@/components/form/left-fields";
import { useAction } from "@/components/session/use-action";
import { useRefresh } from "@/components/live/live-refresh";
import type { Failure } from "@/lib/errors/result";
import { checkStart, saveStartDraft, reviewStart, startCase } from "@/lib/kyc/actions";
import type { StartFormState } from "@/lib/kyc/queries";
import type { StartReview, StartType } from "@/lib/kyc/view";

const INDIVIDUAL = ["vatNumber", "name", "birthDate", "motherName"] as const;
const PARTNER = ["ownerType", ...INDIVIDUAL] as const;

const COUNT = "partners";
const DEFAULT_OWNER = ["SOCIO_ADMINISTRADOR", "SOCIO", "SOCIO"] as const;

type Values = Pick<FormDraft, "value">;

export const partnersOf = ({ value }: Values): number => Math.min(3, Math.max(1, Number(value(COUNT)) || 1));

export const ownerAt = ({ value }: Values, index: number): string =>
  value(`qsa.${index}.ownerType`) || (DEFAULT_OWNER[index] ?? "SOCIO");

const individualOf = ({ value }: Values, prefix = "") => ({
  vatNumber: value(`${prefix}vatNumber`),
  name: value(`${prefix}name`),
  birthDate: value(`${prefix}birthDate`),
  motherName: value(`${prefix}motherName`),
});

const checkOf = ({ value }: Values) => ({
  backgroundcheckModel: value("backgroundcheckModel"),
  documentscopyFlag: value("documentscopyFlag") === "true",
});

function typedForm(type: StartType, draft: Values) {
  if (type === "PF") return { type: "PF" as const, ...checkOf(draft), ...individualOf(draft) };
  return {
    type: "PJ" as const,
    ...checkOf(draft),
    vatNumber: draft.value("vatNumber"),
    legalName: draft.value("legalName"),
    qsa: Array.from({ length: partnersOf(draft) }, (_, index) => ({
      ownerType: ownerAt(draft, index),
      ...individualOf(draft, `qsa.${index}.`),
    })),
  };
}

export const withPartner = (draft: FormDraft): Record<string, string> => ({
  ...draft.values,
  [COUNT]: String(partnersOf(draft) + 1),
});

export function withoutPartner(draft: FormDraft, gone: number): Record<string, string> {
  const left = Array.from({ length: partnersOf(draft) }, (_, index) => index).filter((index) => index !== gone);
  const others = Object.entries(draft.values).filter(([name]) => !name.startsWith("qsa."));
  const moved = left.flatMap((from, to) =>
    PARTNER.map((part) => [
      `qsa.${to}.${part}`,
      part === "ownerType" ? ownerAt(draft, from) : draft.value(`qsa.${from}.${part}`),
    ]),
  );
  return { ...Object.fromEntries([...others, ...moved]), [COUNT]: String(left.length) };
}

/** A missing administrator is an error of every partner, and correcting one clears all. */
const correctedBy = (name: string) => (name.endsWith(".ownerType") ? [name, "qsa"] : [name]);

export type Start = {
  draft: FormDraft;
  fields: Fields;
  errors: Readonly<Record<string, string>>;
  attempts: number;
  review: StartReview | null;
  isChecking: boolean;
  isStarting: boolean;
  failure: Failure | null;
  check: () => void;
  leave: (name: string) => void;
  correct: () => void;
  start: (seen: string[]) => void;
  forgetErrors: () => void;
  beginAnother: () => void;
};

export function useStart(type: StartType, form: StartFormState): Start {
  const router = useRouter();
  const draft = useDraft({ opened: form.draft, save: (order, at) => saveStartDraft({ type, order }, at) });
  const { fields, errors, attempts, show: showErrors, note, forget } = useFieldErrors(draft, correctedBy);
  const [review, setReview] = useState<StartReview | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const checking = useAction(reviewStart);
  const starting = useAction(startCase);
  const refresh = useRefresh();
  const checkLeft = useLeftFields({ check: checkStart, typed: () => typedForm(type, draft), value: draft.value, note });

  const goBack = (failed: Failure | null) => {
    setReview(null);
    setFailure(failed);
    if (failed !== null) showErrors(failed.fields ?? {});
  };
  const toReview = (refusal: Failure | null) =>
    checking.run(
      typedForm(type, draft),
      (found) => {
        setReview(found);
        setFailure(refusal);
      },
      goBack,
    );
  const check = () => {
    draft.flush();
    toReview(null);
  };
  const leave = (name: string) => {
    if (draft.value(name).trim() !== "") checkLeft(name);
  };
  const start = (seen: string[]) =>
    starting.run(
      { ...typedForm(type, draft), intentId: draft.draftId, seen },
      ({ kycUUID }) => {
        draft.end();
        router.push(`/kyc/${encodeURIComponent(kycUUID)}?started=1`);
      },
      (failed) => {
        if (failed.fields !== undefined) return goBack(failed);
        setFailure(failed);
        // Somebody may have started the same document meanwhile.
        if (failed.kind === "conflict") toReview(failed);
        refresh();
      },
    );
  const beginAnother = async () => {
    if (await draft.discard()) refresh();
  };
  return {
    draft,
    fields,
    errors,
    attempts,
    review,
    isChecking: checking.pending,
    isStarting: starting.pending,
    // Clears the failure once every named field is corrected.
    failure: failure?.fields !== undefined && Object.keys(errors).length === 0 ? null : failure,
    check,
    leave,
    correct: () => goBack(null),
    start,
    forgetErrors: forget,
    beginAnother: () => void beginAnother(),
  };
}
