"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { type Fields, type FormDraft, useDraft, useFieldErrors } from "@/components/form/draft-saver";
import { useLeftFields } from "@/components/form/left-fields";
import { useAction } from "@/components/session/use-action";
import { useRefresh } from "@/components/live/live-refresh";
import { useRefreshBehind } from "@/components/live/use-refresh-behind";
import { STEP_FIELD } from "@/lib/drafts/view";
import type { Failure } from "@/lib/errors/result";
import { checkAccount, createAccount, saveAccountDraft, reviewAccount } from "@/lib/onboarding/actions";
import { type AccountReview, FORM_STEPS, type FormStep, OWNERS_MAX, formStepOf } from "@/lib/onboarding/view";
import type { OnboardingKind } from "@/lib/db/enums/onboarding";
import type { AccountFormState } from "@/lib/onboarding/queries";

const ADDRESS = ["postalCode", "street", "number", "complement", "neighborhood", "city", "state"] as const;
const PERSON = ["fullName", "documentNumber", "birthDate", "motherName"] as const;
const OWNER = [...PERSON, "email", "phoneNumber", "ownAddress", ...ADDRESS.map((part) => `address.${part}`)];
const OWNERS = "owners";

type Values = Pick<FormDraft, "value">;

export const ownersOf = ({ value }: Values): number => Math.min(OWNERS_MAX, Math.max(1, Number(value(OWNERS)) || 1));

export const ownerAt = (index: number): string => `legalPerson.owner.${index}.`;

export const hasOwnAddress = ({ value }: Values, index: number): boolean =>
  value(`${ownerAt(index)}ownAddress`) === "yes";

function addressOf({ value }: Values, at: string) {
  const part = (name: (typeof ADDRESS)[number]) => value(`${at}${name}`);
  return {
    postalCode: part("postalCode"),
    street: part("street"),
    number: part("number"),
    complement: part("complement"),
    neighborhood: part("neighborhood"),
    city: part("city"),
    state: part("state"),
  };
}

const individualOf = ({ value }: Values, at: string) => ({
  fullName: value(`${at}fullName`),
  documentNumber: value(`${at}documentNumber`),
  birthDate: value(`${at}birthDate`),
  motherName: value(`${at}motherName`),
  phoneNumber: value(`${at}phoneNumber`),
  email: value(`${at}email`),
});

const linksOf = ({ value }: Values) => ({
  documentLink: value("bankDocuments.documentLink"),
  documentBackLink: value("bankDocuments.documentBackLink"),
  selfieLink: value("bankDocuments.selfieLink"),
});

function personOf(draft: Values) {
  const { value } = draft;
  return {
    ...individualOf(draft, "person."),
    isPoliticallyExposedPerson: value("person.isPoliticallyExposedPerson"),
    address: {
      ...addressOf(draft, "person.address."),
      longitude: value("person.address.longitude"),
      latitude: value("person.address.latitude"),
    },
  };
}

const ownerOf = (draft: Values, index: number) => ({
  ...individualOf(draft, ownerAt(index)),
  address: hasOwnAddress(draft, index) ? addressOf(draft, `${ownerAt(index)}address.`) : null,
});

const companyOf = (draft: Values) => ({
  businessName: draft.value("legalPerson.businessName"),
  tradingName: draft.value("legalPerson.tradingName"),
  documentNumber: draft.value("legalPerson.documentNumber"),
  businessEmail: draft.value("legalPerson.businessEmail"),
  contactNumber: draft.value("legalPerson.contactNumber"),
  establishmentDate: draft.value("legalPerson.establishmentDate"),
  businessAddress: addressOf(draft, "legalPerson.businessAddress."),
  owner: Array.from({ length: ownersOf(draft) }, (_, index) => ownerOf(draft, index)),
});

function typedForm(kind: OnboardingKind, draft: Values) {
  const email = draft.value("email");
  if (kind === "PF") return { type: kind, email, person: personOf(draft), bankDocuments: linksOf(draft) };
  const socialContractLink = draft.value("bankDocuments.socialContractLink");
  return { type: kind, email, legalPerson: companyOf(draft), bankDocuments: { ...linksOf(draft), socialContractLink } };
}

export const withOwner = (draft: FormDraft): Record<string, string> => ({
  ...draft.values,
  [OWNERS]: String(ownersOf(draft) + 1),
});

export function withoutOwner(draft: FormDraft, gone: number): Record<string, string> {
  const left = Array.from({ length: ownersOf(draft) }, (_, index) => index).filter((index) => index !== gone);
  const others = Object.entries(draft.values).filter(([name]) => !name.startsWith("legalPerson.owner."));
  const moved = left.flatMap((from, to) =>
    OWNER.map((part) => [`${ownerAt(to)}${part}`, draft.value(`${ownerAt(from)}${part}`)]),
  );
  return { ...Object.fromEntries([...others, ...moved]), [OWNERS]: String(left.length) };
}

/** What an earlier attempt tells; what it does not tell stays as typed. */
export const withTaken = ({ values }: Pick<FormDraft, "values">, taken: Readonly<Record<string, string>>) => ({
  ...values,
  ...Object.fromEntries(Object.entries(taken).filter(([, value]) => value.trim() !== "")),
});

type Sending = { transactionPassword: string; passwordAgain: string; seen: string[] };

export type AccountWork = {
  kind: OnboardingKind;
  draft: FormDraft;
  fields: Fields;
  errors: Readonly<Record<string, string>>;
  attempts: number;
  step: FormStep;
  wrong: ReadonlySet<FormStep>;
  review: AccountReview | null;
  isChecking: boolean;
  isSending: boolean;
  failure: Failure | null;
  next: () => void;
  go: (step: FormStep) => void;
  leave: (name: string) => void;
  /** `onAnswer` runs on any answer. */
  send: (sending: Sending, onAnswer: () => void) => void;
  forgetErrors: () => void;
  beginAnother: () => void;
};

/** Goes back in history to an earlier step, so the back button never leads forward. */
function useOpenStep(step: FormStep): (to: FormStep) => void {
  const trail = useRef<readonly FormStep[]>([step]);
  useEffect(() => {
    const at = trail.current.indexOf(step);
    trail.current = at === -1 ? [...trail.current, step] : trail.current.slice(0, at + 1);
  }, [step]);
  return (to) => {
    const at = trail.current.indexOf(to);
    if (at !== -1) window.history.go(at + 1 - trail.current.length);
    else {
      const address = new URL(window.location.href);
      address.searchParams.set("step", to);
      window.history.pushState(null, "", `${address.pathname}${address.search}`);
    }
    window.scrollTo({ top: 0 });
  };
}

/** An empty form opens at the first step, a lost review at the last one before it. */
function useStep(kind: OnboardingKind, { isReviewed, isTyped }: { isReviewed: boolean; isTyped: boolean }) {
  const asked = useSearchParams().get("step");
  const steps: readonly FormStep[] = FORM_STEPS[kind];
  const named = steps.find((one) => isTyped && one === asked) ?? "who";
  return { steps, step: named === "review" && !isReviewed ? "documents" : named };
}

/** Ignores steps that were not shown yet. */
function wrongUpTo(fields: Record<string, string>, steps: readonly FormStep[]): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => steps.includes(formStepOf(name))));
}

const firstWrong = (fields: Readonly<Record<string, string>>, steps: readonly FormStep[]) =>
  steps.find((step) => Object.keys(fields).some((name) => formStepOf(name) === step));

function useParts(form: AccountFormState) {
  const { kind, earlier } = form;
  const from = earlier?.id ?? null;
  const draft = useDraft({
    opened: form.draft,
    save: (order, at) => saveAccountDraft({ type: kind, from, order }, at),
  });
  const { fields, errors, attempts, show, note, forget } = useFieldErrors(draft);
  const [review, setReview] = useState<AccountReview | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { step, steps } = useStep(kind, {
    isReviewed: review !== null,
    isTyped: Object.keys(draft.values).length > 0,
  });
  const openStep = useOpenStep(step);
  const go = (to: FormStep) => {
    setFailure(null);
    if (to !== "review") setReview(null);
    draft.set({ [STEP_FIELD]: to });
    if (to !== step) openStep(to);
  };
  /** False when no error concerns these steps. */
  const meet = (failed: Failure, upTo: readonly FormStep[]): boolean => {
    const wrong = wrongUpTo(failed.fields ?? {}, upTo);
    const first = firstWrong(wrong, steps);
    if (failed.fields !== undefined && first === undefined) return false;
    setFailure(failed.fields === undefined ? failed : null);
    show(wrong);
    if (first !== undefined && first !== step) go(first);
    return true;
  };
  const shown = { kind, draft, fields, errors, attempts, step, review, failure, go, forgetErrors: forget };
  const wrong = new Set(Object.keys(errors).map(formStepOf));
  return { shown, wrong, steps, openStep, setReview, setFailure, meet, note };
}

export function useAccount(form: AccountFormState): AccountWork {
  const { kind, earlier } = form;
  const router = useRouter();
  const { shown, wrong, steps, openStep, setReview, setFailure, meet, note } = useParts(form);
  const { draft, step, go, forgetErrors } = shown;
  const checking = useAction(checkAccount);
  const reviewing = useAction(reviewAccount);
  const sending = useAction(createAccount);
  const refresh = useRefresh();
  const refreshBehind = useRefreshBehind(step === "review");
  const typed = () => ({ ...typedForm(kind, draft), from: earlier?.id ?? null });
  const checkLeft = useLeftFields({
    check: checkAccount,
    typed,
    value: draft.value,
    note,
  });

  const toReview = (refusal: Failure | null) => {
    const show = (found: AccountReview) => {
      setReview(found);
      setFailure(refusal);
      if (step !== "review") openStep("review");
    };
    reviewing.run(typed(), show, (failed) => void meet(failed, steps));
  };
  const next = () => {
    const to = steps[steps.indexOf(step) + 1] ?? "review";
    draft.flush();
    if (to === "review") return toReview(null);
    const advance = () => {
      forgetErrors();
      go(to);
    };
    const reached = steps.slice(0, steps.indexOf(to));
    checking.run(typed(), advance, (failed) => meet(failed, reached) || advance());
  };
  const leave = (name: string) => {
    if (draft.value(name).trim() !== "") checkLeft(name);
  };
  const done = ({ id }: { id: string }) => {
    draft.end();
    router.push(`/onboarding/${id}?created=yes`);
  };
  const refuse = (failed: Failure) => {
    if (failed.fields !== undefined) return void meet(failed, steps);
    setFailure(failed);
    // Somebody may have asked for the same account meanwhile.
    if (failed.kind === "conflict") toReview(failed);
    // Shown in place of the review once the form is in flight.
    if (failed.code === "account-unconfirmed" || failed.code === "intent-already-sent") refresh();
    else refreshBehind();
  };
  const send = ({ seen, ...password }: Sending, onAnswer: () => void) => {
    const named = { seen, intentId: draft.draftId, from: earlier?.id ?? null };
    const answered =
      <Told>(then: (failure: Told) => void) =>
      (failure: Told) => {
        onAnswer();
        then(failure);
      };
    sending.run({ ...typedForm(kind, draft), ...password, ...named }, answered(done), answered(refuse));
  };
  const beginAnother = async () => {
    if (await draft.discard()) refresh();
  };
  const isChecking = checking.pending || reviewing.pending;
  const deeds = { next, leave, send, beginAnother: () => void beginAnother() };
  return { ...shown, ...deeds, wrong, isChecking, isSending: sending.pending };
}
