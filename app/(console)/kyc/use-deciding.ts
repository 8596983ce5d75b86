"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useAction } from "@/components/use-action";
import { useUnsent } from "@/components/use-unsent";
import { claimCase, decideCase } from "@/lib/kyc/actions";
import type { DecisionTerms, KycRow } from "@/lib/kyc/queries";
import type { Failure } from "@/lib/result";
import type { Decision } from "./decision-choice";
import { type Draft, emptyDraft, tellingOf } from "./decision-draft";
import { useDecisionTerms } from "./use-decision-terms";

/** What stands between the person and the decision: nothing, once it is `ready`. */
export type Step = "reading" | "failed" | "proposed" | "held" | "ready";

function stepOf(terms: DecisionTerms | undefined, hasFailed: boolean): Step {
  // Once it is theirs, what was read last will do: the server compares once more.
  if (terms?.isMine !== true && hasFailed) return "failed";
  if (terms === undefined) return "reading";
  if (terms.row.proposal !== null) return "proposed";
  return terms.isMine || terms.row.assignee === null ? "ready" : "held";
}

const standingOf = ({ row: { status, process } }: DecisionTerms) => `${status} ${process}`;

/** What was written waits in this tab, also for whoever went back before it was sent. */
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

type Begun = Pick<Deciding, "initialDecision"> & { kycUUID: string };

/** The draft; when the case is no longer what the person decided upon, they decide anew, and what they wrote stays. */
function useDraft(terms: DecisionTerms | undefined, { kycUUID, initialDecision }: Begun) {
  const { draft, setDraft } = useWritten(kycUUID, initialDecision);
  const [opened, setOpened] = useState<DecisionTerms | null>(null);
  const [upon, setUpon] = useState<string | null>(null);
  // That it became theirs is no change: they decide upon the case as it was then.
  const becameTheirs = opened?.isMine === false && terms?.isMine === true && standingOf(opened) === standingOf(terms);
  if (terms !== undefined && (opened === null || becameTheirs)) setOpened(terms);
  if (terms !== undefined && upon !== standingOf(terms)) {
    setUpon(standingOf(terms));
    if (upon !== null) setDraft({ ...draft, decision: null });
  }
  return { draft, setDraft, opened };
}

type Decided = Extract<Awaited<ReturnType<typeof decideCase>>, { ok: true }>["data"];
type Deciding = { subject: KycRow; initialDecision: Decision | null; onDone: (confirmation: string) => void };

/** Everything that somebody does from opening a case's decision to its end: the claim, the draft, and sending it. */
export function useDeciding({ subject, initialDecision, onDone }: Deciding) {
  const t = useTranslations("kyc");
  const approvals = useTranslations("approvals");
  const { kycUUID, vatNumber } = subject;
  const { terms, hasFailed, isReading, readAgain } = useDecisionTerms(kycUUID);
  const claiming = useAction(claimCase);
  const deciding = useAction(decideCase);
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
    const { told, reasonCode } = tellingOf(draft, terms);
    const order = {
      intentId,
      kycUUID,
      decision: draft.decision,
      reason: told,
      reasonCode: reasonCode ?? "",
      note: draft.note.trim() === "" ? null : draft.note,
      checklist: draft.decision === "APPROVED" ? confirmed : [],
      rulesVersion,
      expected: { status: row.status, process: row.process },
    };
    const decide = () => deciding.run(order, decided, failed);
    setFailure(null);
    // Looking takes nothing: a case that is nobody's becomes theirs as they decide it.
    if (terms.isMine) decide();
    else claiming.run({ kycUUID, takeFrom: null }, decide, failed);
  };

  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const pending = claiming.pending || deciding.pending;
  return { step, terms, opened, draft, change, forget, claim, send, failure, pending, isReading, readAgain };
}
