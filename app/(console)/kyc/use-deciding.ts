"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { useAction } from "@/components/session/use-action";
import { useRefetched } from "@/components/live/live-provider";
import { OTHER_SCOPE, SIGNED_OUT, useRead } from "@/components/session/use-read";
import { useUnsent } from "@/components/session/scope";
import type { ManualDecision } from "@/lib/contract/kyc";
import type { Failure } from "@/lib/errors/result";
import { caseCan } from "@/lib/kyc/can";
import { claimCase, decideCase } from "@/lib/kyc/actions";
import type { DecisionTerms, KycRow } from "@/lib/kyc/queries";
import { composeReason } from "@/lib/kyc/view";
import { identifiersIn, type Stop, stopsIn } from "@/lib/text/tipping-off";

export type Decision = ManualDecision["decision"];

export type Draft = {
  decision: Decision | null;
  reasonCode: string | null;
  addition: string;
  note: string;
  confirmed: readonly string[];
};

export const emptyDraft = (decision: Decision | null): Draft => ({
  decision,
  reasonCode: null,
  addition: "",
  note: "",
  confirmed: [],
});

export const isWritten = ({ addition, note }: Draft): boolean => addition.trim() !== "" || note.trim() !== "";

type SentText = {
  reasonCode: string | null;
  sentText: string;
  stops: Stop[];
  identifiers: Stop[];
};

export function sentTextOf(
  { decision, reasonCode, addition }: Draft,
  { reasons, stoppedWords }: DecisionTerms,
): SentText {
  const reason = reasons.find((one) => one.code === reasonCode && one.decision === decision);
  const sentText = reason === undefined ? addition.trim() : composeReason(reason.text, addition);
  const identifiers = identifiersIn(sentText);
  const words = stopsIn(sentText, stoppedWords).filter(({ from, to }) =>
    identifiers.every((one) => to <= one.from || from >= one.to),
  );
  const stops = [...identifiers, ...words].toSorted((one, other) => one.from - other.from);
  return { reasonCode: reason?.code ?? null, sentText, stops, identifiers };
}

export type Missing = "decision" | "reasonCode" | "checklist" | "reason" | null;

export function missingOf(draft: Draft, terms: DecisionTerms): Missing {
  const { reasonCode, sentText, stops } = sentTextOf(draft, terms);
  if (draft.decision === null || caseCan.choose(terms.row, draft.decision) !== null) return "decision";
  if (reasonCode === null) return "reasonCode";
  if (!isChecked(draft, terms)) return "checklist";
  return sentText.length > terms.reasonLimit || stops.length > 0 ? "reason" : null;
}

/** Only an approval needs every item confirmed. */
export const isChecked = ({ decision, confirmed }: Draft, { checklist }: DecisionTerms): boolean =>
  decision !== "APPROVED" || checklist.every(({ code }) => confirmed.includes(code));

type TermsRead = {
  /** Undefined until read. */
  terms: DecisionTerms | undefined;
  hasFailed: boolean;
  isReading: boolean;
  readAgain: () => void;
};

function useDecisionTerms(kycUUID: string): TermsRead {
  const read = useRead();
  const queryKey = useMemo(() => ["decision-terms", kycUUID], [kycUUID]);
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => read<DecisionTerms>(`/api/kyc/${encodeURIComponent(kycUUID)}/decision`, signal),
    // A decision uses terms read when it begins.
    staleTime: 0,
    gcTime: 0,
    retry: (failures, error) => failures < 1 && error.cause !== SIGNED_OUT && error.cause !== OTHER_SCOPE,
  });
  useRefetched(queryKey, { topic: "kyc", object: kycUUID });
  return {
    terms: query.data,
    hasFailed: query.isError,
    isReading: query.isFetching,
    readAgain: () => void query.refetch(),
  };
}

export type Step = "reading" | "failed" | "proposed" | "escalated" | "held" | "ready";

function stepOf(terms: DecisionTerms | undefined, hasFailed: boolean): Step {
  // An older reading is enough, since the server compares again.
  if (terms === undefined) return hasFailed ? "failed" : "reading";
  if (caseCan.decide(terms.row) !== null) return terms.row.pendingApproval === null ? "escalated" : "proposed";
  return terms.isMine || terms.row.assignee === null ? "ready" : "held";
}

const standingOf = ({ row: { status, process } }: DecisionTerms) => `${status} ${process}`;

/** Kept in this tab's memory, even after leaving without sending. */
function useWritten(kycUUID: string, initialDecision: Decision | null) {
  const [chosen, setChosen] = useState(() => emptyDraft(initialDecision));
  const [addition, setAddition] = useUnsent(`addition ${kycUUID}`);
  const [note, setNote] = useUnsent(`decision ${kycUUID}`);
  const setDraft = (draft: Draft) => {
    setChosen(draft);
    setAddition(draft.addition);
    setNote(draft.note);
  };
  return { draft: { ...chosen, addition, note }, setDraft };
}

type StartedDecision = Pick<Deciding, "initialDecision"> & { kycUUID: string };

/** Keeps the text when the case changes, except a decision that the case already reached. */
export const draftUpon = (draft: Draft, { row }: Pick<DecisionTerms, "row">): Draft =>
  draft.decision === row.status ? { ...draft, decision: null } : draft;

function useDraft(terms: DecisionTerms | undefined, { kycUUID, initialDecision }: StartedDecision) {
  const { draft, setDraft } = useWritten(kycUUID, initialDecision);
  const [opened, setOpened] = useState<DecisionTerms | null>(null);
  const [upon, setUpon] = useState<string | null>(null);
  // Becoming the assignee is no change of the case.
  const becameTheirs = opened?.isMine === false && terms?.isMine === true && standingOf(opened) === standingOf(terms);
  if (terms !== undefined && (opened === null || becameTheirs)) setOpened(terms);
  if (terms !== undefined && upon !== standingOf(terms)) {
    setUpon(standingOf(terms));
    if (draftUpon(draft, terms) !== draft) setDraft(draftUpon(draft, terms));
  }
  return { draft, setDraft, opened };
}

type Decided = Extract<Awaited<ReturnType<typeof decideCase>>, { ok: true }>["data"];
type Deciding = { subject: KycRow; initialDecision: Decision | null; onDone: (confirmation: string) => void };

export function useDeciding({ subject, initialDecision, onDone }: Deciding) {
  const t = useTranslations("kyc");
  const approvals = useTranslations("approvals");
  const { kycUUID, vatNumber } = subject;
  const { terms: read, hasFailed, isReading, readAgain } = useDecisionTerms(kycUUID);
  const claiming = useAction(claimCase);
  const deciding = useAction(decideCase);
  const [sentUpon, setSentUpon] = useState<DecisionTerms | null>(null);
  // While the answer is pending, changes caused by this decision are ignored.
  const terms = deciding.pending && sentUpon !== null ? sentUpon : read;
  const [failure, setFailure] = useState<Failure | null>(null);
  const { draft, setDraft, opened } = useDraft(terms, { kycUUID, initialDecision });
  const step = stepOf(terms, hasFailed);

  const failed = (refusal: Failure) => {
    setFailure(refusal);
    if (refusal.kind === "conflict") readAgain();
  };
  const claim = () => {
    setFailure(null);
    claiming.run({ kycUUID, takeFrom: terms?.row.assignee?.id ?? null }, readAgain, failed);
  };

  const forget = () => setDraft(emptyDraft(null));
  const decided = (answer: Decided) => {
    forget();
    if (answer.state === "PROPOSED") onDone(approvals("proposedDone", { document: vatNumber }));
    else onDone(t(answer.decision === "APPROVED" ? "approvedDone" : "reprovedDone", { document: vatNumber }));
  };
  const send = (intentId: string) => {
    if (terms === undefined || draft.decision === null) return;
    const { row, rulesVersion } = terms;
    const confirmed = terms.checklist.flatMap(({ code }) => (draft.confirmed.includes(code) ? [code] : []));
    const { sentText, reasonCode } = sentTextOf(draft, terms);
    const order = {
      intentId,
      kycUUID,
      decision: draft.decision,
      reason: sentText,
      reasonCode: reasonCode ?? "",
      note: draft.note.trim() === "" ? null : draft.note,
      checklist: draft.decision === "APPROVED" ? confirmed : [],
      rulesVersion,
      expected: { status: row.status, process: row.process },
    };
    const decide = () => deciding.run(order, decided, failed);
    setSentUpon(terms);
    setFailure(null);
    // Opening assigns nothing: an unassigned case is claimed on deciding.
    if (terms.isMine) decide();
    else claiming.run({ kycUUID, takeFrom: null }, decide, failed);
  };

  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const pending = claiming.pending || deciding.pending;
  return { step, terms, opened, draft, change, forget, claim, send, failure, pending, isReading, readAgain };
}
