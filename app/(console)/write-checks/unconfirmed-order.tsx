import { useTranslations, useLocale } from "next-intl";
import { type ReactNode, useId } from "react";
import type { OrderWords } from "./possible-duplicates";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useRouter } from "next/navigation";
import { EndOutcome } from "@/app/(console)/outcomes/end-outcome";
import { FailureText } from "@/components/layout/failure-text";
import { useAction } from "@/components/session/use-action";
import { formatDateTime } from "@/lib/text/format";
import { excludeCandidate } from "@/lib/outcomes/actions";
import type { Failure } from "@/lib/errors/result";

/** Namespaces with the same keys. */
type UnconfirmedWords = OrderWords | "walletForm";

export function UnconfirmedList({ words, children }: { words: UnconfirmedWords; children: ReactNode }) {
  const t = useTranslations(words);
  const id = useId();
  return (
    <section aria-labelledby={id} className="max-w-4xl px-5 pt-4">
      <h2 id={id} className="font-semibold">
        {t("unsettledTitle")}
      </h2>
      <p className="mt-0.5 text-sm text-muted">{t("unsettledLead")}</p>
      <ul className="mt-2 divide-y divide-line rounded border border-warning/30 bg-warning-tint">{children}</ul>
    </section>
  );
}

type SentNoticeProps = { words: OrderWords; onAnother: () => void };

export function SentNotice({ words, onAnother }: SentNoticeProps) {
  const t = useTranslations(words);
  return (
    <div className="px-5 py-4">
      <Notice tone="warning" live="assertive" className="max-w-4xl">
        <p className="font-medium">{t("sentTitle")}</p>
        <p className="mt-1">{t("sentBody")}</p>
        <Button size="small" className="mt-3" onClick={onAnother}>
          {t("another")}
        </Button>
      </Notice>
    </div>
  );
}

type Candidate = {
  id: string;
  firstSeenAt: string;
  shown: ReactNode;
};

type CandidatesProps = {
  words: UnconfirmedWords;
  candidates: readonly Candidate[];
  pending: boolean;
  onReconcile: (id: string) => void;
  onExclude: (id: string) => void;
};

function Candidates({ words, candidates, pending, onReconcile, onExclude }: CandidatesProps) {
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
            <Button size="small" isBusy={pending} onClick={() => onReconcile(id)}>
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

type UnconfirmedOrderProps = {
  words: UnconfirmedWords;
  title: string;
  order: { intentId: string; byName: string; at: string; isSending: boolean; isNotFound: boolean };
  candidates: readonly Candidate[];
  pending: boolean;
  failure: Failure | null;
  onReconcile: (id: string) => void;
};

export function UnconfirmedOrder({
  words,
  title,
  order,
  candidates,
  pending,
  failure,
  onReconcile,
}: UnconfirmedOrderProps) {
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
          onReconcile={onReconcile}
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
