import { NO_LIMITS } from "@/lib/permission/limits";
import type { ApprovalKindName as Kind } from "@/lib/permission/writes";
import { useLocale, useTranslations } from "next-intl";
import { useNetworkNames } from "@/app/(console)/wallets/network-names";
import { reasonValues } from "@/lib/approvals/view";
import type { ApprovalRecord, ApprovalRow } from "@/lib/approvals/queries";
import type { KycStatus } from "@/lib/contract/kyc";
import { STATUSES } from "@/lib/kyc/view";
import { formatBrl, formatCrypto, formatDateTime } from "@/lib/text/format";
import { isUnknown, providerText } from "@/lib/text/provider-word";
import { namingHidden } from "@/lib/text/safe-link";
import { isTold, useLimitTerms } from "./limit-words";

export type Value = NonNullable<ApprovalRow["headline"]>;
type Rule = Extract<Value, { as: "rule" }>;
type Facts = NonNullable<ApprovalRecord["shown"]>["facts"];

export function kycStatus(word: string): KycStatus {
  return STATUSES.find((status) => status === word) ?? (isUnknown(word) ? word : `unknown:${word}`);
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
  const slaClocks = useTranslations("caseRules.slaClocks");
  const exposures = useTranslations("kycCase.exposures");
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
    if (value.as === "sla-clock") return slaClocks(value.clock);
    if (value.as === "exposure") return exposures(value.exposure);
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
