"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/use-action";
import { type HeldDraft, useDraft } from "@/components/use-draft";
import { type Fields, useFieldErrors } from "@/components/use-field-errors";
import { useRefresh } from "@/components/use-refresh";
import { keepStartDraft, reviewStart, startCase } from "@/lib/kyc/actions";
import type { StartDesk } from "@/lib/kyc/queries";
import type { StartReview, StartType } from "@/lib/kyc-start";
import type { Failure } from "@/lib/result";
import { typedForm } from "./form-fields";

/** That none is an administrator is said beside each partner, and wrong of all of them. */
const correctedBy = (name: string) => (name.endsWith(".ownerType") ? [name, "qsa"] : [name]);

export type Start = {
  draft: HeldDraft;
  fields: Fields;
  /** Counts the times that something was found wrong. */
  attempts: number;
  review: StartReview | null;
  isChecking: boolean;
  isStarting: boolean;
  failure: Failure | null;
  check: () => void;
  correct: () => void;
  start: (seen: string[]) => void;
  forgetErrors: () => void;
  beginAnother: () => void;
};

/** A start on its way: what was typed is checked, shown as it will be sent, and sent once under its draft's name. */
export function useStart(type: StartType, desk: StartDesk): Start {
  const router = useRouter();
  const draft = useDraft({ opened: desk.draft, keep: (order, at) => keepStartDraft({ type, order }, at) });
  const { fields, errors, attempts, show: showErrors, forget: forgetErrors } = useFieldErrors(draft, correctedBy);
  const [review, setReview] = useState<StartReview | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const checking = useAction(reviewStart);
  const starting = useAction(startCase);
  const refresh = useRefresh();

  const goBack = (failed: Failure | null) => {
    setReview(null);
    setFailure(failed);
    if (failed !== null) showErrors(failed.fields ?? {});
  };
  const look = (told: Failure | null) =>
    checking.run(
      typedForm(type, draft),
      (found) => {
        setReview(found);
        setFailure(told);
      },
      goBack,
    );
  const check = () => {
    draft.flush();
    look(null);
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
        if (failed.kind === "conflict") look(failed);
        refresh();
      },
    );
  const beginAnother = async () => {
    if (await draft.discard()) refresh();
  };
  return {
    draft,
    fields,
    attempts,
    review,
    isChecking: checking.pending,
    isStarting: starting.pending,
    // Once everything it named is corrected, there is nothing left to say.
    failure: failure?.fields !== undefined && Object.keys(errors).length === 0 ? null : failure,
    check,
    correct: () => goBack(null),
    start,
    forgetErrors,
    beginAnother: () => void beginAnother(),
  };
}
