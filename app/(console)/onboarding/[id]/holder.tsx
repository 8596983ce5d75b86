import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { WhoActs } from "@/app/(console)/onboarding/onboarding-words";
import { DocumentReveal } from "@/app/(console)/privacy/document-reveal";
import { KycStatusBadge, OnboardingStatusBadge } from "@/components/layout/badges";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { RecordSection } from "@/components/layout/record-columns";
import { LastChange } from "@/components/freshness/last-change";
import { useNamedReason } from "@/components/freshness/stale-notice";
import { CopyButton } from "@/components/table/copy-button";
import { ProviderText } from "@/components/layout/provider-text";
import { SafeLink } from "@/components/table/safe-link";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { cn } from "@/components/ui/cn";
import type { OnboardingRecordView } from "@/lib/onboarding/queries";
import { formatDateTime, formatTime } from "@/lib/text/format";
import { readIso } from "@/lib/text/time";
import { TryAgain } from "./attempts";
import { HolderCopy } from "./biometric-link";

/** By the provider's own times; null: it told none. */
const lastTold = (messages: OnboardingRecordView["messages"]): string | null =>
  messages
    .map(({ date }) => date)
    .filter((date) => readIso(date) !== null)
    .toSorted()
    .at(-1) ?? null;

type DetailsProps = { record: OnboardingRecordView; denial: string | null };

export function Details({ record: { row, account, attempts, events, messages }, denial }: DetailsProps) {
  const t = useTranslations();
  const locale = useLocale();
  const { chain, position } = attempts;
  const seen = events.find(({ kind }) => kind === "seen");
  return (
    <RecordSection id="details" title={t("onboarding.details")}>
      <DescriptionList>
        <Described name={t("onboarding.columns.status")}>
          <OnboardingStatusBadge status={row.status} />
        </Described>
        <Described name={t("onboarding.columns.stage")}>{t(`onboarding.stage.${row.stage}`)}</Described>
        <Described name={t("onboarding.columns.acts")}>
          <WhoActs who={row.whoActs} />
        </Described>
        <Described name={t("onboarding.columns.document")}>
          <DocumentReveal masked={row.document} kind="onboarding" id={row.id} denial={denial} />
        </Described>
        <Described name={t("onboarding.columns.kind")}>{t(`onboarding.kind.${row.kind}`)}</Described>
        <Described name={t("onboarding.columns.returns")}>
          {t("onboarding.returnedTimes", { count: row.returns })}
        </Described>
        {chain.length > 1 ? (
          <Described name={t("onboardingRecord.attempts")}>
            {t("onboardingRecord.attempt", { position, total: chain.length })}
          </Described>
        ) : null}
        <Described name={t("onboarding.account")}>
          {account ? (
            <>
              <span className="min-w-0 wrap-anywhere">
                <ProviderText text={t("onboarding.branchNumber", { branch: account.branch, number: account.number })} />
              </span>
              <Link href={`/accounts/${account.ref}`} prefetch={false} className="text-accent hover:underline">
                {t("onboarding.viewAccount")}
              </Link>
            </>
          ) : (
            <span className="text-muted">{row.status === "ERROR" ? t("common.none") : t("onboarding.noAccount")}</span>
          )}
        </Described>
        <Described name={t("onboarding.begun")}>{formatDateTime(row.firstSeenAt, locale)}</Described>
        <Described name={t("onboarding.changedAt")}>
          <LastChange seenAt={seen?.at ?? row.firstSeenAt} changedAt={row.changedAt} toldAt={lastTold(messages)} />
        </Described>
      </DescriptionList>
    </RecordSection>
  );
}

type DiagnosticsProps = { record: OnboardingRecordView };

export function Diagnostics({ record: { messages, onBoardingId, traceId } }: DiagnosticsProps) {
  const t = useTranslations("onboardingRecord");
  const locale = useLocale();
  return (
    <section aria-labelledby="diagnostics" className="mb-5 border-y-2 border-dashed border-line-strong bg-neutral-tint">
      <div className="flex flex-wrap items-baseline gap-x-3 px-5 pt-3 pb-2">
        <h2 id="diagnostics" className="text-sm font-semibold">
          {t("internal")}
        </h2>
        <p className="inline-flex items-center gap-1.5 text-sm font-medium text-warning">
          <Icon of="eye-off" size={13} />
          {t("internalHint")}
        </p>
      </div>
      <DescriptionList>
        <Described name={t("onBoardingId")}>
          {onBoardingId === null ? (
            <span className="text-muted">{t("noOnBoardingId")}</span>
          ) : (
            <Copied text={onBoardingId} label={t("copyId")} />
          )}
        </Described>
        {traceId === null || traceId === "" ? null : (
          <Described name={t("traceId")}>
            <Copied text={traceId} label={t("copyTrace")} />
          </Described>
        )}
      </DescriptionList>
      {messages.length === 0 ? <p className="px-5 py-2.5 text-sm text-muted">{t("internalNone")}</p> : null}
      <ul className="divide-y divide-line">
        {messages.map((message) => (
          <li key={`${message.id} ${message.date} ${message.message}`} className="px-5 py-2 text-sm">
            <code className="font-mono wrap-anywhere">
              <ProviderText text={message.status} />
            </code>{" "}
            <span className="text-muted">
              <code className="font-mono wrap-anywhere">
                <ProviderText text={message.id} />
              </code>{" "}
              · {formatDateTime(message.date, locale)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <code className="min-w-0 font-mono text-xs wrap-anywhere">
        <ProviderText text={text} />
      </code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

type Step = OnboardingRecordView["steps"][number];

const LOOKS = {
  passed: { icon: "check", colour: "text-positive" },
  current: { icon: "circle-dot", colour: "text-info" },
  refused: { icon: "circle-x", colour: "text-negative" },
  ahead: { icon: "circle", colour: "text-faint" },
  unreached: { icon: "circle", colour: "text-faint" },
} as const satisfies Record<Step["state"] | "unreached", unknown>;

export function Progress({ record, denial }: { record: OnboardingRecordView; denial: string | null }) {
  const t = useTranslations("onboardingRecord");
  const { row, steps } = record;
  const isUrgent = row.whoActs === "holder" || row.whoActs === "us";
  return (
    <RecordSection id="now" title={t("now")}>
      <div className="space-y-3 border-y border-line px-5 py-3.5">
        <div>
          <p className={cn("text-md font-semibold", isUrgent && "text-warning")}>{t(`whoActs.${row.whoActs}`)}</p>
          <p className="mt-0.5 max-w-prose text-muted">
            <Why record={record} />
          </p>
        </div>
        <Steps steps={steps} hasEnded={row.status === "ERROR"} />
        <Rhythm record={record} />
        {row.status === "ERROR" && row.whoActs !== "nobody" ? <TryAgain id={row.id} denial={denial} /> : null}
      </div>
    </RecordSection>
  );
}

type StepsProps = { steps: readonly Step[]; hasEnded: boolean };

export function Steps({ steps, hasEnded }: StepsProps) {
  const t = useTranslations("onboardingRecord");
  return (
    <ol aria-label={t("steps")} className="grid gap-x-5 gap-y-1.5 medium:flex medium:flex-wrap">
      {steps.map(({ step, state }) => (
        <StepMark key={step} step={step} state={hasEnded && state === "ahead" ? "unreached" : state} />
      ))}
    </ol>
  );
}

function Why({ record: { row, links, messages } }: { record: OnboardingRecordView }) {
  const t = useTranslations("onboardingRecord.why");
  if (row.whoActs === "nobody") return t(row.status === "CONFIRMED" ? "done" : "superseded");
  if (row.whoActs === "provider") return t("provider");
  if (row.whoActs === "us") return t(row.status === "ERROR" ? "us-refused" : "us-unknown");
  if (row.biometric?.isSafe === false) return t("holder-unsafe");
  const hasLink = links.some(({ goneAt }) => goneAt === null);
  return t(hasLink && !messages.some(({ actionRequired }) => actionRequired) ? "holder-link" : "holder-message");
}

type StepMarkProps = { step: Step["step"]; state: keyof typeof LOOKS };

function StepMark({ step, state }: StepMarkProps) {
  const t = useTranslations();
  const { icon, colour } = LOOKS[state];
  const isAhead = state === "ahead" || state === "unreached";
  return (
    <li
      aria-current={state === "current" || state === "refused" ? "step" : undefined}
      className="flex items-center gap-1.5"
    >
      <Icon of={icon} size={14} className={cn("shrink-0", colour)} />
      <span className={isAhead ? "text-muted" : "font-medium"}>{t(`onboarding.stage.${step}`)}</span>
      <span className={state === "passed" || isAhead ? "sr-only" : "text-sm text-muted"}>
        {t(`onboardingRecord.stepState.${state}`)}
      </span>
    </li>
  );
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

function useEvery(): (ms: number) => string {
  const t = useTranslations("onboardingRecord.every");
  return (ms) => {
    if (ms < MINUTE_MS) return t("seconds", { value: ms / SECOND_MS });
    return ms < HOUR_MS ? t("minutes", { value: ms / MINUTE_MS }) : t("hours", { value: ms / HOUR_MS });
  };
}

function Rhythm({ record: { rhythm } }: { record: OnboardingRecordView }) {
  const t = useTranslations("onboardingRecord");
  const locale = useLocale();
  const everyOf = useEvery();
  const reason = useNamedReason(rhythm?.failure ?? null);
  if (rhythm === null) return <p className="text-sm text-muted">{t("rhythmEnded")}</p>;
  const { everyMs, nextAt, isStale } = rhythm;
  if (isStale) return <p className="text-sm font-medium text-warning">{reason ?? t("rhythmStale")}</p>;
  const values = { every: everyOf(everyMs), time: formatTime(nextAt, locale) };
  return <p className="text-sm text-muted">{everyMs < MINUTE_MS ? t("rhythm", values) : t("rhythmSlow", values)}</p>;
}

export function Related({ record: { cases } }: { record: OnboardingRecordView }) {
  const t = useTranslations("onboardingRecord");
  const locale = useLocale();
  return (
    <RecordSection id="cases" title={t("cases")}>
      {cases.length === 0 ? <p className="border-y border-line px-5 py-3 text-muted">{t("noCases")}</p> : null}
      <ul className="divide-y divide-line border-line not-empty:border-y">
        {cases.map(({ kycUUID, status, firstSeenAt, isSure }) => (
          <li key={kycUUID} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-5 py-2">
            <Link
              href={`/kyc/${encodeURIComponent(kycUUID)}`}
              prefetch={false}
              className="font-medium text-accent tabular-nums hover:underline"
            >
              {formatDateTime(firstSeenAt, locale)}
            </Link>
            <KycStatusBadge status={status} />
            <span className="text-sm text-muted">{t(isSure ? "sureCase" : "maybeCase")}</span>
          </li>
        ))}
      </ul>
    </RecordSection>
  );
}

type HolderProps = { record: OnboardingRecordView; denial: string | null };

export function Holder({ record: { row, messages, holder }, denial }: HolderProps) {
  const t = useTranslations();
  const locale = useLocale();
  const { text, stops } = holder;
  const isWithLink = holder.isOfLink && denial === null && row.biometric?.isSafe === true;
  return (
    <RecordSection id="holder" title={t("onboardingRecord.holder")}>
      {messages.length === 0 ? (
        <p className="border-y border-line px-5 py-3 text-muted">{t("onboardingRecord.holderNone")}</p>
      ) : (
        <div className="border-y border-line">
          <ol className="divide-y divide-line">
            {messages.map((message) => (
              <li key={`${message.id} ${message.date} ${message.message}`} className="px-5 py-3">
                <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
                  <time dateTime={message.date} className="tabular-nums">
                    {formatDateTime(message.date, locale)}
                  </time>
                  {message.actionRequired ? <Badge tone="warning">{t("onboarding.actionRequired")}</Badge> : null}
                  {message.url ? <SafeLink link={message.url} name={t("onboardingRecord.messageLink")} /> : null}
                  {message.isOfLink ? <span>{t("onboardingRecord.linkBelow")}</span> : null}
                </div>
                <p className="mt-1 max-w-prose break-words whitespace-pre-line">
                  <ProviderText text={message.message} />
                </p>
              </li>
            ))}
          </ol>
          <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-2.5">
            <p className="text-sm text-muted">
              {t(`onboardingRecord.${isWithLink ? "holderHintLink" : "holderHint"}`)}
            </p>
            {stops.length === 0 ? <HolderCopy text={text} linkOf={isWithLink ? row.id : null} /> : null}
          </div>
          {stops.length === 0 ? null : (
            <Notice tone="warning" className="mx-5 mb-3">
              {t("onboardingRecord.stopped", { count: stops.length, words: stops.join(", ") })}
            </Notice>
          )}
        </div>
      )}
    </RecordSection>
  );
}
