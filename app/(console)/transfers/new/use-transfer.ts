"use client";

import { useTranslations } from "next-intl";
import { useRouter, useSearchParams } from "next/navigation";
import { useRef, useState } from "react";
import { type Fields, type FormDraft, useDraft, useFieldErrors } from "@/components/form/draft-saver";
import { useLeftFields } from "@/components/form/left-fields";
import { useAction } from "@/components/session/use-action";
import { useRefreshBehind } from "@/components/live/use-refresh-behind";
import { lookUpAccount } from "@/lib/accounts/actions";
import type { Failure } from "@/lib/errors/result";
import type { DraftFields } from "@/lib/drafts/view";
import { checkTransfer, saveTransferDraft, orderTransfer, reviewTransfer, savePayee } from "@/lib/transfers/actions";
import type { TransferFormState, TransferReview } from "@/lib/transfers/queries";
import { ACCOUNT_TYPES, type PayeeList, type SavedPayee } from "@/lib/transfers/view";
import type { TransferKind } from "@/lib/db/enums/transfers";
import { bankBehind } from "./bank-field";

const BANK = ["institutionIspb", "institutionCode"] as const;
const RECIPIENT = [...BANK, "branchCode", "accountCode", "bankAccountType", "document", "name"] as const;

/** All bank errors belong to one field; a choice among saved payees clears the typed recipient. */
const correctedBy = (name: string) => (name === "bank" ? BANK : name === "payee" ? RECIPIENT : [name]);

type Typed = { kind: TransferKind; from: string; payee: SavedPayee | null; value: (name: string) => string };

const typedRecipient = (value: Typed["value"]) => ({
  ...bankBehind(value),
  branchCode: value("branchCode"),
  accountCode: value("accountCode"),
  bankAccountType: value("bankAccountType") || ACCOUNT_TYPES[0],
  document: value("document"),
  name: value("name"),
});

function typedForm({ kind, from, payee, value }: Typed, to: string) {
  const shared = { from, userId: value("userId"), amount: value("amount") };
  if (kind === "INTERNAL") return { kind, ...shared, to, description: value("description") };
  if (payee !== null) return { kind: "PAYEE" as const, ...shared, payee: payee.id };
  return { kind, ...shared, ...typedRecipient(value) };
}

export type TransferWork = {
  draft: FormDraft;
  fields: Fields;
  errors: Readonly<Record<string, string>>;
  attempts: number;
  review: TransferReview | null;
  isChecking: boolean;
  isSending: boolean;
  failure: Failure | null;
  payees: PayeeList;
  /** The saved payee of a TED. */
  payee: SavedPayee | null;
  isSaving: boolean;
  /** How often the typed recipient was saved. */
  saved: number;
  setPayees: (list: PayeeList) => void;
  savePayee: () => void;
  check: () => void;
  leave: (name: string) => void;
  correct: () => void;
  send: (seen: string[]) => void;
  forgetErrors: () => void;
};

type PayeeInput = { kind: "INTERNAL"; to: string } | ({ kind: "EXTERNAL" } & ReturnType<typeof typedRecipient>);

type StartedTransfer = { kind: TransferKind; from: string; form: TransferFormState };

function usePayees(offered: PayeeList, { kind, value }: Pick<Typed, "kind" | "value">) {
  const [payees, setPayees] = useState(offered);
  const [saved, setSaved] = useState(0);
  const saving = useAction(savePayee);
  const payee = (kind === "EXTERNAL" && payees.payees.find(({ id }) => id === value("payee"))) || null;
  const save = (input: PayeeInput, onFailed: (failed: Failure) => void) =>
    saving.run(
      input,
      (list) => {
        setPayees(list);
        setSaved((times) => times + 1);
      },
      onFailed,
    );
  return { payees, payee, setPayees, saved, isSaving: saving.pending, save };
}

function addressAt(step: "review" | null): string {
  const address = new URL(window.location.href);
  if (step === null) address.searchParams.delete("step");
  else address.searchParams.set("step", step);
  return `${address.pathname}${address.search}`;
}

/** A browser history step of its own; any edit invalidates it. */
function useReview(values: DraftFields) {
  const isAsked = useSearchParams().get("step") === "review";
  const [made, setMade] = useState<{ found: TransferReview; of: DraftFields } | null>(null);
  const isPushed = useRef(false);
  const open = (found: TransferReview) => {
    setMade({ found, of: values });
    if (isAsked) return;
    isPushed.current = true;
    window.history.pushState(null, "", addressAt("review"));
  };
  const close = () => {
    setMade(null);
    if (!isAsked) return;
    if (isPushed.current) window.history.back();
    else window.history.replaceState(null, "", addressAt(null));
    isPushed.current = false;
  };
  return { review: isAsked && made?.of === values ? made.found : null, open, close };
}

function usePaidAccount(query: string, onFailed: (failed: Failure) => void) {
  const t = useTranslations("transferForm");
  const { pending, run } = useAction(lookUpAccount);
  const find = (onFound: (ref: string) => void, onWrong: (why: string) => void) => {
    if (query.trim() === "") return onWrong(t("toFirst"));
    run(
      { query },
      (found) => {
        if (found.restored !== undefined) onWrong(t("toRestored", { document: found.restored }));
        else if ("accountRef" in found) onFound(found.accountRef);
        else onWrong(t("toNoAccount"));
      },
      (failed) => {
        const isItsOwn = failed.kind === "not-found" || failed.kind === "conflict" || failed.kind === "invalid";
        if (isItsOwn) onWrong(failed.fields?.["query"] ?? failed.message);
        else onFailed(failed);
      },
    );
  };
  return { pending, find };
}

export function useTransfer({ kind, from, form }: StartedTransfer): TransferWork {
  const router = useRouter();
  const t = useTranslations("transferForm");
  const draft = useDraft({ opened: form.draft, save: (order, at) => saveTransferDraft({ kind, from, order }, at) });
  const errors = useFieldErrors(draft, correctedBy);
  const { review, ...step } = useReview(draft.values);
  const [failure, setFailure] = useState<Failure | null>(null);
  const reviewing = useAction(reviewTransfer);
  const sending = useAction(orderTransfer);
  const refresh = useRefreshBehind(review !== null);

  // Falls back to the remembered value until the person types another.
  const value = (name: string) =>
    name === "userId" ? (draft.values["userId"] ?? form.user?.userId ?? "") : draft.value(name);
  const fields: Fields = {
    ...errors.fields,
    value,
    set: (name, typed) => {
      // Clearing a remembered value counts as typing.
      if (name === "userId" && typed === "") draft.replace({ ...draft.values, userId: "" });
      errors.fields.set(name, typed);
    },
  };

  const { save, ...known } = usePayees(form.payees, { kind, value });
  const typed = { kind, from, payee: known.payee, value };
  const unpaid = () => typedForm(typed, "");
  const checkLeft = useLeftFields({ check: checkTransfer, typed: unpaid, value, note: errors.note });
  const leave = (name: string) => {
    // The payee is looked up only on the way to the review.
    if (name === "to" || value(name).trim() === "") return;
    checkLeft(name === "bank" ? "institutionIspb" : name);
  };

  const goBack = (failed: Failure | null) => {
    step.close();
    setFailure(failed?.fields === undefined ? failed : null);
    if (failed !== null) errors.show(failed.fields ?? {});
  };
  const unreviewed = (failed: Failure) =>
    goBack(failed.isUnanswered === true ? { ...failed, message: t("notReviewed") } : failed);
  const toReview = (to: string, refusal: Failure | null) =>
    reviewing.run(
      typedForm(typed, to),
      (found) => {
        step.open(found);
        setFailure(refusal);
      },
      unreviewed,
    );
  const looking = usePaidAccount(value("to"), unreviewed);
  const finding = usePaidAccount(value("to"), goBack);
  const showAllWrong = (paid: string) =>
    reviewing.run(unpaid(), step.open, (failed) => unreviewed({ ...failed, fields: { ...failed.fields, to: paid } }));
  const check = () => {
    draft.flush();
    setFailure(null);
    if (kind === "EXTERNAL") return toReview("", null);
    looking.find((ref) => toReview(ref, null), showAllWrong);
  };
  const to = review?.to?.as === "account" ? (review.to.ref ?? "") : "";
  const send = (seen: string[]) =>
    sending.run(
      { ...typedForm(typed, to), intentId: draft.draftId, seen },
      ({ id }) => {
        draft.end();
        router.replace(`/transfers/${id}`);
        // Going back must not show this form as it was kept.
        router.refresh();
      },
      (failed) => {
        if (failed.fields !== undefined) return goBack(failed);
        setFailure(failed);
        // Somebody may have ordered one like it meanwhile.
        if (failed.kind === "conflict") toReview(to, failed);
        refresh();
      },
    );
  return {
    draft,
    fields,
    errors: errors.errors,
    attempts: errors.attempts,
    review,
    isChecking: looking.pending || reviewing.pending,
    isSending: sending.pending,
    failure,
    ...known,
    isSaving: known.isSaving || finding.pending,
    savePayee: () => {
      setFailure(null);
      if (kind === "EXTERNAL") save({ kind, ...typedRecipient(value) }, goBack);
      else
        finding.find(
          (ref) => save({ kind, to: ref }, goBack),
          (wrong) => errors.show({ to: wrong }),
        );
    },
    check,
    leave,
    correct: () => goBack(null),
    send,
    forgetErrors: errors.forget,
  };
}
