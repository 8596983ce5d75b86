import type { ApprovalKindName as Kind } from "@/lib/permission/writes";
import { useStatusWord } from "@/app/(console)/kyc/case-words";
import { useTranslations } from "next-intl";
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

export function ApprovalSummary({ row }: { row: Summarised }) {
  const t = useTranslations("approvals");
  const networks = useTranslations("wallets.networks");
  const { state, headline, gist, parties, makerName, isMine, moved } = row;
  const statusWord = useStatusWord();
  const isFirst = state === "PENDING" && parties?.isFirstUse === true;
  return (
    <span className="min-w-0 wrap-anywhere whitespace-normal tabular-nums">
      {headline === null ? (
        <Badge tone="negative">{t("edited")}</Badge>
      ) : (
        <span className="font-medium">
          <ListedValue value={headline} />
        </span>
      )}
      {parties === null ? (
        <Gist gist={gist} />
      ) : (
        <>
          {" · "}
          <ProviderText text={parties.from} /> <span aria-hidden>→</span>
          <span className="sr-only">{t(parties.network === null ? "facts.to" : "coinFacts.to")}:</span>{" "}
          <ProviderText text={parties.to} />
          {parties.network === null ? null : ` · ${networks(parties.network)}`}
          {isFirst ? (
            <>
              {" "}
              <Badge tone="warning" isDotted={false}>
                {t(parties.network === null ? "firstPayee" : "firstAddress")}
              </Badge>
            </>
          ) : null}
        </>
      )}
      {moved === null ? null : (
        <span className="text-warning">{` · ${t(moved.from === moved.to ? "movedBackShort" : "movedShort", { to: statusWord(moved.to) })}`}</span>
      )}
      <span className="text-muted">
        {" · "}
        <PersonName name={t("byName", { name: makerName })} you={isMine ? t("byYou") : null} />
      </span>
    </span>
  );
}

function Gist({ gist }: Pick<ApprovalRow, "gist">) {
  const t = useTranslations("approvals");
  const changeOf = useRuleChange();
  if (gist === null) return null;
  const { before, after } = gist;
  const change = changeOf(gist);
  return (
    <>
      {" · "}
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
