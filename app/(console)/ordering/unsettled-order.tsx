import { useLocale, useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { EndOutcome } from "@/app/(console)/outcomes/end-outcome";
import { FailureText } from "@/components/layout/failure-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/form/use-action";
import { formatDateTime } from "@/lib/text/format";
import { excludeCandidate } from "@/lib/outcomes/actions";
import type { Failure } from "@/lib/errors/result";
import type { OrderWords } from "./order-words";

type Candidate = {
  id: string;
  firstSeenAt: string;
  shown: ReactNode;
};

type CandidatesProps = {
  words: OrderWords;
  candidates: readonly Candidate[];
  pending: boolean;
  onSettle: (id: string) => void;
  onExclude: (id: string) => void;
};

function Candidates({ words, candidates, pending, onSettle, onExclude }: CandidatesProps) {
  const t = useTranslations(words);
  const say = useTranslations("outcomes");
  const locale = useLocale();
  return (
    <>
      <p>{t("choose")}</p>
      <ul className="mt-2 space-y-2">
        {candidates.map(({ id, firstSeenAt, shown }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {shown}
            <span className="text-muted">{t("firstSeen", { time: formatDateTime(firstSeenAt, locale) })}</span>
            <Button size="small" isBusy={pending} onClick={() => onSettle(id)}>
              {t("thisOne")}
            </Button>
            <Button tone="quiet" size="small" isBusy={pending} onClick={() => onExclude(id)}>
              {say("exclude")}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

type UnsettledOrderProps = {
  words: OrderWords;
  title: string;
  order: { intentId: string; byName: string; at: string; isSending: boolean; isNotFound: boolean };
  candidates: readonly Candidate[];
  pending: boolean;
  failure: Failure | null;
  onSettle: (id: string) => void;
};

export function UnsettledOrder({ words, title, order, candidates, pending, failure, onSettle }: UnsettledOrderProps) {
  const t = useTranslations(words);
  const locale = useLocale();
  const router = useRouter();
  const exclusion = useAction(excludeCandidate);
  const { intentId, byName, at, isSending, isNotFound } = order;
  const shownFailure = failure ?? exclusion.failure;
  return (
    <li className="space-y-2 px-4 py-3 text-sm">
      <p className="font-medium tabular-nums">{title}</p>
      <p className="text-muted">{t("sentBy", { name: byName, time: formatDateTime(at, locale) })}</p>
      {isSending ? <p>{t("stillSending")}</p> : null}
      {!isSending && candidates.length === 0 ? <p>{t(isNotFound ? "notFound" : "looking")}</p> : null}
      {candidates.length > 0 ? (
        <Candidates
          words={words}
          candidates={candidates}
          pending={pending || exclusion.pending}
          onSettle={onSettle}
          onExclude={(candidate) => exclusion.run({ intentId, candidate }, () => router.refresh())}
        />
      ) : null}
      {isSending ? null : <EndOutcome intentId={intentId} needsApproval={false} denial={null} />}
      {shownFailure ? (
        <Notice tone="negative" live="assertive">
          <FailureText failure={shownFailure} />
        </Notice>
      ) : null}
    </li>
  );
}
