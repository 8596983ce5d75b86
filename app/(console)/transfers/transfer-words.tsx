import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { StandingMark } from "@/app/(console)/accounts/standing";
import { Described } from "@/components/layout/description-list";
import { ProviderText } from "@/components/layout/provider-text";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { type Look, Status } from "@/components/ui/status";
import { formatDateTime } from "@/lib/text/format";
import type { Party, Recipient, SavedPayee, TransferState } from "@/lib/transfers/view";

const LOOKS: Record<TransferState, Look> = {
  WAITING: { tone: "warning", progress: "waiting" },
  SENDING: { tone: "info", progress: "moving" },
  CONFIRMED: { tone: "positive", progress: "settled" },
  RETURNED: { tone: "warning", progress: "settled" },
  HELD: { tone: "info", progress: "waiting" },
  ACCEPTED: { tone: "info", progress: "moving" },
  BLOCKED: { tone: "negative", progress: "settled" },
  REFUSED: { tone: "negative", progress: "settled" },
  UNKNOWN: { tone: "warning", progress: "moving" },
  DECLINED: { tone: "negative", progress: "settled" },
  WITHDRAWN: { tone: "neutral", progress: "settled" },
  EXPIRED: { tone: "neutral", progress: "settled" },
  FAILED: { tone: "negative", progress: "settled" },
};

export function TransferStatus({ state, candidateId = null }: { state: TransferState; candidateId?: string | null }) {
  const t = useTranslations("transfers");
  return <Status {...LOOKS[state]}>{candidateId === null ? t(`states.${state}`) : t("perhapsReleased")}</Status>;
}

/** An account by branch and number, a TED's recipient by masked name and bank. */
export function PartyName({ party, isOneLine = false }: { party: Party; isOneLine?: boolean }) {
  const t = useTranslations("transfers");
  if (party === null) return <span className="text-faint">{t("unread")}</span>;
  if (party.as === "account") {
    return (
      <span className={cn("flex min-w-0 items-center gap-x-2", !isOneLine && "flex-wrap")}>
        <ProviderText text={party.name} className={isOneLine ? "truncate" : ""} />
        <StandingMark standing={party.standing} />
      </span>
    );
  }
  const bank = party.bank ?? t("facts.bankUnknown", { ispb: party.ispb });
  return (
    <>
      {party.name} <span className={cn("text-muted", !isOneLine && "block text-sm whitespace-normal")}>{bank}</span>
    </>
  );
}

export function RecipientFacts({ to, children }: { to: Recipient; children?: ReactNode }) {
  const t = useTranslations("transfers");
  const code = String(to.code).padStart(3, "0");
  return (
    <>
      <Described name={t("facts.recipient")}>
        {to.name}
        {children}
      </Described>
      <Described name={t("facts.document")}>
        <span className="whitespace-nowrap">{to.document}</span>
      </Described>
      <Described name={t("facts.bank")}>
        {to.bank ?? t("facts.bankUnknown", { ispb: to.ispb })}
        <span className="text-muted">{t("facts.bankCodes", { ispb: to.ispb, code })}</span>
      </Described>
      <Described name={t("facts.account")}>
        {t("branchAccount", { branch: to.branch, account: to.account })}
        <span className="text-muted">{t(`accountTypes.${to.accountType}`)}</span>
      </Described>
    </>
  );
}

export const accountOf = ({ to }: SavedPayee) => (to.as === "account" ? to.name : `${to.branch} / ${to.account}`);
export const holderOf = ({ to }: SavedPayee) => (to.as === "account" ? (to.holder ?? "") : to.name);

export function usePayeeWords() {
  const t = useTranslations("transfers");
  return (payee: SavedPayee) => {
    const { to } = payee;
    const bank = to.as === "account" ? null : (to.bank ?? t("facts.bankUnknown", { ispb: to.ispb }));
    return { holder: holderOf(payee), document: to.document, bank, account: accountOf(payee) };
  };
}

/** Initials, masked document, bank and account, and whether it was ever paid from here. */
export function PayeeLine({ payee }: { payee: SavedPayee }) {
  const t = useTranslations("transferForm");
  const locale = useLocale();
  const { holder, document, bank, account } = usePayeeWords()(payee);
  return (
    <span className="block min-w-0">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        {holder === "" ? null : <span className="font-medium">{holder}</span>}
        {document === null ? null : <span className="text-muted tabular-nums">{document}</span>}
        {payee.paidAt === null ? <Badge tone="warning">{t("firstUseShort")}</Badge> : null}
      </span>
      <span className="block text-sm text-muted tabular-nums">
        {bank === null ? null : `${bank} · `}
        <ProviderText text={account} />
        {payee.paidAt === null ? null : ` · ${t("payeePaid", { time: formatDateTime(payee.paidAt, locale) })}`}
      </span>
    </span>
  );
}
