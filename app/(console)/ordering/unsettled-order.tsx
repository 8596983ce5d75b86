import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { FailureText } from "@/components/failure-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { formatDateTime } from "@/lib/format";
import type { Failure } from "@/lib/result";
import type { OrderWords } from "./order-words";

/** What may have come of it. */
type Candidate = {
  id: string;
  /** ISO. */
  firstSeenAt: string;
  /** By which it is told apart, and opened. */
  shown: ReactNode;
};

type CandidatesProps = {
  words: OrderWords;
  candidates: readonly Candidate[];
  pending: boolean;
  onSettle: (id: string) => void;
};

function Candidates({ words, candidates, pending, onSettle }: CandidatesProps) {
  const t = useTranslations(words);
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
          </li>
        ))}
      </ul>
    </>
  );
}

type UnsettledOrderProps = {
  words: OrderWords;
  /** About whom it is, and what was ordered. */
  title: string;
  order: { byName: string; at: string; isSending: boolean; mayBeWaived: boolean };
  candidates: readonly Candidate[];
  pending: boolean;
  failure: Failure | null;
  /** Null: nothing came of it. */
  onSettle: (id: string | null) => void;
};

/** An order of which nobody knows what became of it: whoever can tell, says it here. */
export function UnsettledOrder({ words, title, order, candidates, pending, failure, onSettle }: UnsettledOrderProps) {
  const t = useTranslations(words);
  const locale = useLocale();
  const { byName, at, isSending, mayBeWaived } = order;
  return (
    <li className="space-y-2 px-4 py-3 text-sm">
      <p className="font-medium tabular-nums">{title}</p>
      <p className="text-muted">{t("sentBy", { name: byName, time: formatDateTime(at, locale) })}</p>
      {isSending ? <p>{t("stillSending")}</p> : null}
      {!isSending && candidates.length === 0 ? <p>{t(mayBeWaived ? "notFound" : "looking")}</p> : null}
      {candidates.length > 0 ? (
        <Candidates words={words} candidates={candidates} pending={pending} onSettle={onSettle} />
      ) : null}
      {mayBeWaived ? (
        <Button size="small" isBusy={pending} onClick={() => onSettle(null)}>
          {t("letGo")}
        </Button>
      ) : null}
      {failure ? (
        <Notice tone="negative" live="assertive">
          <FailureText failure={failure} />
        </Notice>
      ) : null}
    </li>
  );
}
