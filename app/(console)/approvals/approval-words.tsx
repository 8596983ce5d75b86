import { type ApprovalKindName as Kind, type DayLimits, NO_LIMITS } from "@/lib/permission/writes";
import { useLocale, useTranslations } from "next-intl";
import { WalletOwner } from "@/app/(console)/wallets/wallet-owner";
import { useNetworkNames } from "@/app/(console)/wallets/wallet-words";
import { GroupedAddress } from "@/components/table/grouped-address";
import { Money } from "@/components/table/money";
import { KycStatusBadge } from "@/components/layout/badges";
import { PersonName } from "@/components/layout/person-name";
import { Badge, type Tone } from "@/components/ui/badge";
import { type Progress, Status } from "@/components/ui/status";
import { type ApprovalWord, reasonValues } from "@/lib/approvals/view";
import type { ApprovalRecord, ApprovalRow } from "@/lib/approvals/queries";
import type { KycStatus } from "@/lib/contract/kyc";
import { STATUSES } from "@/lib/kyc/view";
import { formatBrl, formatCrypto, formatDateTime, type Locale } from "@/lib/text/format";
import { isUnknown, providerText } from "@/lib/text/provider-word";
import { ProviderText } from "@/components/layout/provider-text";
import { namingHidden } from "@/lib/text/safe-link";

type Value = NonNullable<ApprovalRow["headline"]>;
type Rule = Extract<Value, { as: "rule" }>;
type Shown = NonNullable<ApprovalRecord["shown"]>;

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

type Summarised = Pick<ApprovalRow, "headline" | "gist" | "parties" | "makerName" | "isMine">;

export function ApprovalSummary({ row }: { row: Summarised }) {
  const t = useTranslations("approvals");
  const networks = useTranslations("wallets.networks");
  const namesOf = useNetworkNames();
  const { headline, gist, parties, makerName, isMine } = row;
  const first =
    parties === null || !parties.isFirstUse
      ? null
      : parties.network === null
        ? t("firstPayee")
        : t("firstAddress", { network: networks(parties.network), elsewhere: namesOf(parties.elsewhere) });
  return (
    <span className="min-w-0 wrap-anywhere whitespace-normal tabular-nums">
      {headline === null ? (
        <Badge tone="negative">{t("edited")}</Badge>
      ) : (
        <span className="font-medium">
          <ShownValue value={headline} />
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
          {first === null ? null : <span className="text-warning">{` · ${first}`}</span>}
        </>
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
          {change === null ? <ShownValue value={before} /> : change.before.join("; ")} <span aria-hidden>→</span>{" "}
        </span>
      )}
      <span className="sr-only">{t("after")}: </span>
      {change === null ? <ShownValue value={after} /> : change.after.join("; ")}
    </>
  );
}

function kycStatus(word: string): KycStatus {
  return STATUSES.find((status) => status === word) ?? (isUnknown(word) ? word : `unknown:${word}`);
}

function AccountStatus({ status }: { status: "OPEN" | "CLOSED" }) {
  const t = useTranslations("approvals.accountStatus");
  return <Status {...(status === "OPEN" ? OPEN : CLOSED)}>{t(status)}</Status>;
}

function Sends({ value: { sends } }: { value: Extract<Value, { as: "sends" }> }) {
  const t = useTranslations("approvals.coinFacts");
  const locale = useLocale();
  if (sends.length === 0) return <span className="font-normal text-muted">{t("sentNone")}</span>;
  return (
    <ul className="space-y-1">
      {sends.map(({ at, txHash }) => (
        <li key={`${at} ${txHash}`} className="tabular-nums">
          {formatDateTime(at, locale)}
          {txHash === null ? (
            <span className="block font-normal text-muted">{t("hashUntold")}</span>
          ) : (
            <code className="block font-mono text-sm font-normal wrap-anywhere">
              <ProviderText text={txHash} />
            </code>
          )}
        </li>
      ))}
    </ul>
  );
}

export function Alike({ found }: { found: Extract<Value, { as: "alike" }>["found"] }) {
  const t = useTranslations("sendForm.knownAs");
  return (
    <ul className="space-y-1.5">
      {found.map(({ address, as }) => (
        <li key={address}>
          <GroupedAddress address={address} />
          <span className="block text-sm font-normal text-muted">{t(as)}</span>
        </li>
      ))}
    </ul>
  );
}

export function ShownValue({ value }: { value: Value }) {
  switch (value.as) {
    case "brl":
      return <Money decimal={value.decimal} />;
    case "kyc-status":
      return <KycStatusBadge status={kycStatus(value.status)} />;
    case "account-status":
      return <AccountStatus status={value.status} />;
    case "address":
      return <GroupedAddress address={value.address} />;
    case "wallet":
      return <WalletOwner ours={value} />;
    case "sends":
      return <Sends value={value} />;
    case "alike":
      return <Alike found={value.found} />;
    case "text":
      return (
        <span className="wrap-anywhere whitespace-pre-line">
          <ProviderText text={value.text} />
        </span>
      );
    case "coins":
    case "held":
    case "network":
    case "networks":
    case "time":
    case "elsewhere":
    case "roles":
    case "rule":
    case "why":
    case "kind":
    case "write":
    case "outcome":
    case "evidence":
    case "account-type":
      return <Spoken value={value} />;
  }
}

function Spoken({ value }: { value: Value }) {
  return useSpokenValue()(value);
}

const isTold = (term: string | null) => term !== null;

function useLimitTerms(): (limits: DayLimits) => (string | null)[] {
  const t = useTranslations("approvals.limits");
  const locale = useLocale();
  return ({ personSum, personCount, payeeSum, payeeCount, tenantSum, firstSum }) => [
    personSum === null ? null : t("personSum", { amount: formatBrl(personSum, locale) }),
    personCount === null ? null : t("personCount", { count: personCount }),
    payeeSum === null ? null : t("payeeSum", { amount: formatBrl(payeeSum, locale) }),
    payeeCount === null ? null : t("payeeCount", { count: payeeCount }),
    tenantSum === null ? null : t("tenantSum", { amount: formatBrl(tenantSum, locale) }),
    firstSum === null ? null : t("firstSum", { amount: formatBrl(firstSum, locale) }),
  ];
}

export function useLimitWords(): (limits: DayLimits) => string[] {
  const termsOf = useLimitTerms();
  return (limits) => termsOf(limits).filter(isTold);
}

/** The rule's question and then each limit in its place; null for an absent one. */
function useRuleTerms(): (rule: Rule) => (string | null)[] {
  const t = useTranslations("approvals");
  const locale = useLocale();
  const limitTerms = useLimitTerms();
  return ({ rule, amount, limits = NO_LIMITS }) => [
    rule === "above" && amount !== null ? t("ruleFrom", { amount: formatBrl(amount, locale) }) : t(`rules.${rule}`),
    ...limitTerms(limits),
  ];
}

type Changed = { before: Value | null | undefined; after: Value | undefined };

/** The changed terms of a rule, old against new; null when no rule changes. */
export function useRuleChange(): (changed: Changed) => { before: string[]; after: string[] } | null {
  const t = useTranslations("approvals.limits");
  const termsOf = useRuleTerms();
  return ({ before, after }) => {
    if (before?.as !== "rule" || after?.as !== "rule") return null;
    const old = termsOf(before);
    const now = termsOf(after);
    const differs = (n: number) => old[n] !== now[n];
    const changed = (terms: (string | null)[]) => terms.filter((_, n) => differs(n)).map((term) => term ?? t("none"));
    return old.every((_, n) => !differs(n)) ? null : { before: changed(old), after: changed(now) };
  };
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

type Facts = Shown["facts"];

export function useFirstUse(): (kind: Kind, facts: Facts) => string | null {
  const t = useTranslations("approvals");
  const namesOf = useNetworkNames();
  const spoken = useSpokenValue();
  return (kind, facts) => {
    const after = facts.find(({ name }) => name === "firstUse")?.after;
    if (after === undefined) return null;
    if (kind !== "crypto.transfer") return t("isFirstUse");
    return t("coinFacts.isFirstUse", {
      network: spoken(facts.find(({ name }) => name === "network")?.after),
      elsewhere: namesOf(after.as === "networks" ? after.networks : []),
    });
  };
}

export function useSpokenValue(): (value: Value | null | undefined) => string {
  const t = useTranslations("kyc.status");
  const roles = useTranslations("roles");
  const approvals = useTranslations("approvals");
  const outcomes = useTranslations("outcomes");
  const writes = useTranslations("writes");
  const transfers = useTranslations("transfers");
  const networks = useTranslations("wallets.networks");
  const sending = useTranslations("sendForm");
  const namesOf = useNetworkNames();
  const locale = useLocale();
  const coins = (amount: string, asset: string) => providerText(`${formatCrypto(amount, locale)} ${asset}`);
  const ruleTerms = useRuleTerms();
  return (value) => {
    if (value === null || value === undefined) return "—";
    if (value.as === "brl") return formatBrl(value.decimal, locale);
    if (value.as === "text") return namingHidden(value.text);
    if (value.as === "coins") return coins(value.amount, value.asset);
    if (value.as === "held")
      return sending("overShort", {
        balance: coins(value.balance, value.asset),
        time: formatDateTime(value.asOf, locale),
      });
    if (value.as === "sends")
      return value.sends.map(({ at, txHash }) => `${formatDateTime(at, locale)} ${txHash ?? ""}`.trim()).join("; ");
    if (value.as === "network") return networks(value.network);
    if (value.as === "networks") return namesOf(value.networks);
    if (value.as === "time") return formatDateTime(value.at, locale);
    if (value.as === "elsewhere")
      return approvals("decidedElsewhere", {
        time: value.seenAt === null ? "none" : formatDateTime(value.seenAt, locale),
      });
    if (value.as === "address") return providerText(value.address);
    if (value.as === "wallet") return sending(`owner.${value.told}`);
    if (value.as === "alike") return value.found.map(({ address }) => providerText(address)).join(", ");
    if (value.as === "account-type") return transfers(`accountTypes.${value.type}`);
    if (value.as === "account-status") return approvals(`accountStatus.${value.status}`);
    if (value.as === "roles") return value.roles.map((role) => roles(role)).join(", ");
    if (value.as === "kind") return writes(value.kind);
    if (value.as === "write") return writes(value.write);
    if (value.as === "outcome") return outcomes(`outcomes.${value.outcome}`);
    if (value.as === "evidence") return outcomes(`sources.${value.source}`);
    if (value.as === "rule") return ruleTerms(value).filter(isTold).join("; ");
    if (value.as === "why") return approvals(`why.${value.by}`, reasonValues(value, locale));
    const status = kycStatus(value.status);
    return isUnknown(status) ? providerText(status) : t(status);
  };
}
