import type { ApprovalKindName as Kind } from "@/lib/permission/writes";
import { useStatusWord } from "@/app/(console)/kyc/case-words";
import { useTranslations } from "next-intl";
import { Fragment } from "react";
import { Money } from "@/components/table/money";
import { KycStatusBadge } from "@/components/layout/badges";
import { PersonName } from "@/components/layout/person-name";
import { Badge, type Tone } from "@/components/ui/badge";
import { type Progress, Status } from "@/components/ui/status";
import type { ApprovalWord } from "@/lib/approvals/view";
import type { ApprovalRow } from "@/lib/approvals/queries";
import { formatBrl, formatCrypto, type Locale } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { ProviderText } from "@/components/layout/provider-text";
import { kycStatus, useRuleChange, useSpokenValue, type Value } from "./spoken-value";

export function ApprovalKindName({ kind }: { kind: Kind }) {
  const t = useTranslations("writes");
  return t(kind);
}

const LOOKS: Record<ApprovalWord, { tone: Tone; progress: Progress }> = {
  PENDING: { tone: "warning", progress: "waiting" },
  READY: { tone: "warning", progress: "waiting" },
  AUTHORISED: { tone: "info", progress: "moving" },
  EXECUTED: { tone: "positive", progress: "settled" },
  HELD: { tone: "info", progress: "waiting" },
  FAILED: { tone: "negative", progress: "settled" },
  UNSENT: { tone: "negative", progress: "settled" },
  PROVIDER_REFUSED: { tone: "negative", progress: "settled" },
  BLOCKED: { tone: "negative", progress: "settled" },
  UNKNOWN: { tone: "warning", progress: "moving" },
  REFUSED: { tone: "negative", progress: "settled" },
  WITHDRAWN: { tone: "neutral", progress: "settled" },
  EXPIRED: { tone: "neutral", progress: "settled" },
};

const OPEN = { tone: "positive", progress: "settled" } as const;
const CLOSED = { tone: "neutral", progress: "settled" } as const;

export function ApprovalStateBadge({ word }: Pick<ApprovalRow, "word">) {
  const t = useTranslations("approvals.states");
  return <Status {...LOOKS[word]}>{t(word)}</Status>;
}

type Summarised = Pick<ApprovalRow, "state" | "headline" | "gist" | "parties" | "makerName" | "isMine" | "moved">;

const isAmount = (value: Value | null) => value?.as === "brl" || value?.as === "coins";

export function ApprovalAmount({ headline }: Pick<ApprovalRow, "headline">) {
  return headline !== null && isAmount(headline) ? <ListedValue value={headline} /> : null;
}

type ApprovalSummaryProps = {
  row: Summarised;
  isAmountApart?: boolean;
};

export function ApprovalSummary({ row, isAmountApart = false }: ApprovalSummaryProps) {
  const t = useTranslations("approvals");
  const { headline, gist, parties, makerName, isMine, moved } = row;
  const statusWord = useStatusWord();
  const parts = [
    headline === null ? (
      <Badge tone="negative">{t("edited")}</Badge>
    ) : isAmountApart && isAmount(headline) ? null : (
      <span className="font-medium">
        <ListedValue value={headline} />
      </span>
    ),
    parties === null ? null : <PartiesOf row={row} parties={parties} />,
    parties !== null || gist === null ? null : <Gist gist={gist} />,
    moved === null ? null : (
      <span className="text-warning">
        {t(moved.from === moved.to ? "movedBackShort" : "movedShort", { to: statusWord(moved.to) })}
      </span>
    ),
    <span key="by" className="text-muted">
      <PersonName name={t("byName", { name: makerName })} you={isMine ? t("byYou") : null} />
    </span>,
  ].filter((part) => part !== null);
  return (
    <span className="min-w-0 wrap-anywhere whitespace-normal tabular-nums">
      {parts.map((part, nth) => (
        <Fragment key={nth}>
          {nth === 0 ? null : " · "}
          {part}
        </Fragment>
      ))}
    </span>
  );
}

type PartiesOfProps = { row: Summarised; parties: NonNullable<Summarised["parties"]> };

function PartiesOf({ row: { state }, parties: { from, to, network, isFirstUse } }: PartiesOfProps) {
  const t = useTranslations("approvals");
  const networks = useTranslations("wallets.networks");
  return (
    <>
      <ProviderText text={from} /> <span aria-hidden>→</span>
      <span className="sr-only">{t(network === null ? "facts.to" : "coinFacts.to")}:</span> <ProviderText text={to} />
      {network === null ? null : ` · ${networks(network)}`}
      {state === "PENDING" && isFirstUse ? (
        <>
          {" "}
          <Badge tone="warning" isDotted={false}>
            {t(network === null ? "firstPayee" : "firstAddress")}
          </Badge>
        </>
      ) : null}
    </>
  );
}

function Gist({ gist }: { gist: NonNullable<Summarised["gist"]> }) {
  const t = useTranslations("approvals");
  const changeOf = useRuleChange();
  const { before, after } = gist;
  const change = changeOf(gist);
  return (
    <>
      {before === null ? null : (
        <span className="text-muted">
          <span className="sr-only">{t("before")}: </span>
          {change === null ? <ListedValue value={before} /> : change.before.join("; ")} <span aria-hidden>→</span>{" "}
        </span>
      )}
      <span className="sr-only">{t("after")}: </span>
      {change === null ? <ListedValue value={after} /> : change.after.join("; ")}
    </>
  );
}

function AccountStatus({ status }: { status: "OPEN" | "CLOSED" }) {
  const t = useTranslations("approvals.accountStatus");
  return <Status {...(status === "OPEN" ? OPEN : CLOSED)}>{t(status)}</Status>;
}

/** A value as a row of a list has room for it. */
export function ListedValue({ value }: { value: Value }) {
  const spoken = useSpokenValue();
  if (value.as === "brl") return <Money decimal={value.decimal} />;
  if (value.as === "kyc-status") return <KycStatusBadge status={kycStatus(value.status)} />;
  if (value.as === "account-status") return <AccountStatus status={value.status} />;
  if (value.as !== "text") return spoken(value);
  return (
    <span className="wrap-anywhere whitespace-pre-line">
      <ProviderText text={value.text} />
    </span>
  );
}

type Titled = Pick<ApprovalRow, "kind" | "headline">;
type Names = ReturnType<typeof useTranslations<"writes">>;

export function approvalTitle({ kind, headline }: Titled, t: Names, locale: Locale): string {
  const name = t(kind);
  if (headline?.as === "brl") return `${name} · ${formatBrl(headline.decimal, locale)}`;
  if (headline?.as === "coins")
    return `${name} · ${providerText(`${formatCrypto(headline.amount, locale)} ${headline.asset}`)}`;
  if (headline?.as === "kind" && headline.kind !== kind) return `${name} · ${t(headline.kind)}`;
  return headline?.as === "text" ? `${name} · ${headline.text}` : name;
}
