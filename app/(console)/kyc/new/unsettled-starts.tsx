"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { FailureText } from "@/components/failure-text";
import { LiveRefresh } from "@/components/live-refresh";
import { KycStatusBadge } from "@/components/status-badge";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/use-action";
import { formatDateTime } from "@/lib/format";
import { settleStart } from "@/lib/kyc/actions";
import type { UnsettledStart } from "@/lib/kyc-start";

function Candidates({
  start,
  settle,
  pending,
}: {
  start: UnsettledStart;
  settle: (id: string) => void;
  pending: boolean;
}) {
  const t = useTranslations("kycStart");
  const locale = useLocale();
  return (
    <>
      <p>{t("choose")}</p>
      <ul className="mt-2 space-y-2">
        {start.candidates.map(({ kycUUID, firstSeenAt, status }) => (
          <li key={kycUUID} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Link
              href={`/kyc/${encodeURIComponent(kycUUID)}`}
              prefetch={false}
              target="_blank"
              className="font-mono text-accent underline"
            >
              {kycUUID}
            </Link>
            <KycStatusBadge status={status} />
            <span className="text-muted">{t("firstSeen", { time: formatDateTime(firstSeenAt, locale) })}</span>
            <Button size="small" isBusy={pending} onClick={() => settle(kycUUID)}>
              {t("thisOne")}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

function UnsettledItem({ start }: { start: UnsettledStart }) {
  const t = useTranslations("kycStart");
  const locale = useLocale();
  const router = useRouter();
  const { pending, failure, run } = useAction(settleStart);
  const { intentId, type, model, document, byName, at, isSending, candidates, mayBeWaived } = start;
  const settle = (kycUUID: string | null) => run({ intentId, kycUUID }, () => router.refresh());
  return (
    <li className="space-y-2 px-4 py-3 text-sm">
      <p className="font-medium tabular-nums">
        {document} · {t("price", { type, model })}
      </p>
      <p className="text-muted">{t("sentBy", { name: byName, time: formatDateTime(at, locale) })}</p>
      {isSending ? <p>{t("stillSending")}</p> : null}
      {!isSending && candidates.length === 0 ? <p>{t(mayBeWaived ? "notFound" : "looking")}</p> : null}
      {candidates.length > 0 ? <Candidates start={start} settle={settle} pending={pending} /> : null}
      {mayBeWaived ? (
        <Button size="small" isBusy={pending} onClick={() => settle(null)}>
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

/** The starts of all our people of which nobody knows what became of them, until they are settled. */
export function UnsettledStarts({ starts }: { starts: readonly UnsettledStart[] }) {
  const t = useTranslations("kycStart");
  if (starts.length === 0) return null;
  return (
    <section aria-labelledby="unsettled-starts" className="max-w-4xl px-5 pt-4">
      <LiveRefresh topics={["kyc"]} tellsFreshness />
      <h2 id="unsettled-starts" className="font-semibold">
        {t("unsettledTitle")}
      </h2>
      <p className="mt-0.5 text-sm text-muted">{t("unsettledLead")}</p>
      <ul className="mt-2 divide-y divide-line rounded border border-warning/30 bg-warning-tint">
        {starts.map((start) => (
          <UnsettledItem key={start.intentId} start={start} />
        ))}
      </ul>
    </section>
  );
}
