"use client";

import { Check, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { Money } from "@/components/table/money";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import type { ClosingObstacle, ClosingTerms } from "@/lib/accounts/view";
import { isZero } from "@/lib/text/format";
import type { ClosingTermsRead } from "./use-closing-terms";

const CONSEQUENCES = ["final", "movements", "statement"] as const;

/** What closing an account means, for whoever has never done it. */
export function Consequences() {
  const t = useTranslations("closing");
  return (
    <section aria-label={t("consequences")}>
      <ul className="list-disc space-y-1 pl-5 marker:text-faint">
        {CONSEQUENCES.map((name) => (
          <li key={name}>{t(`consequence.${name}`)}</li>
        ))}
      </ul>
    </section>
  );
}

/** What the account holds, and what keeps it from being closed. */
export function Conditions({ read: { terms, hasFailed, readAgain } }: { read: ClosingTermsRead }) {
  const t = useTranslations("closing");
  if (hasFailed) {
    return (
      <Notice tone="negative" live="assertive">
        <p>{t("unread")}</p>
        <Button size="small" className="mt-2" onClick={readAgain}>
          {t("again")}
        </Button>
      </Notice>
    );
  }
  return (
    <div aria-live="polite" className="space-y-3">
      {terms === undefined ? <span className="sr-only">{t("reading")}</span> : null}
      <dl className="divide-y divide-line rounded border border-line bg-canvas">
        <Amount name={t("balance")} decimal={terms?.balance} />
        <Amount name={t("blocked")} decimal={terms?.blockedBalance} />
      </dl>
      {terms === undefined ? null : <Told terms={terms} />}
    </div>
  );
}

function Amount({ name, decimal }: { name: string; decimal: string | undefined }) {
  const t = useTranslations("closing");
  const isMet = decimal !== undefined && isZero(decimal);
  const Icon = isMet ? Check : X;
  return (
    <div className="flex min-h-9 items-center gap-3 px-3">
      <dt className="flex-1 text-muted">{name}</dt>
      <dd className="flex items-center gap-2 tabular-nums">
        {decimal === undefined ? (
          <Skeleton className="h-3.5 w-24" />
        ) : (
          <>
            <Money decimal={decimal} />
            <Icon aria-hidden size={14} className={isMet ? "text-positive" : "text-negative"} />
            <span className="sr-only">{isMet ? t("isMet") : t("isNotMet")}</span>
          </>
        )}
      </dd>
    </div>
  );
}

function Told({ terms: { obstacles, notes } }: { terms: ClosingTerms }) {
  const t = useTranslations("closing");
  const said = (obstacle: ClosingObstacle) => <li key={obstacle}>{t(`obstacle.${obstacle}`)}</li>;
  return (
    <>
      {obstacles.length === 0 ? null : (
        <Notice tone="negative">
          <p className="font-medium">{t("obstacles")}</p>
          <ul className="list-disc pl-5">{obstacles.map(said)}</ul>
        </Notice>
      )}
      {notes.length === 0 ? null : (
        <Notice tone="warning">
          {notes.map((note) => (
            <p key={note}>{t(`note.${note}`)}</p>
          ))}
        </Notice>
      )}
    </>
  );
}
