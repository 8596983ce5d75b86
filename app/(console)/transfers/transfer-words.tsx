import { useTranslations } from "next-intl";
import { StandingMark } from "@/app/(console)/accounts/standing";
import { Described } from "@/components/layout/description-list";
import { ProviderText } from "@/components/table/provider-text";
import type { Look } from "@/components/ui/status";
import { Status } from "@/components/ui/status";
import type { Party, Recipient, TransferState } from "@/lib/transfers/view";

const LOOKS: Record<TransferState, Look> = {
  WAITING: { tone: "warning", progress: "waiting" },
  SENDING: { tone: "info", progress: "moving" },
  CONFIRMED: { tone: "positive", progress: "settled" },
  HELD: { tone: "info", progress: "waiting" },
  BLOCKED: { tone: "negative", progress: "settled" },
  REFUSED: { tone: "negative", progress: "settled" },
  UNKNOWN: { tone: "warning", progress: "moving" },
  DECLINED: { tone: "negative", progress: "settled" },
  WITHDRAWN: { tone: "neutral", progress: "settled" },
  EXPIRED: { tone: "neutral", progress: "settled" },
  FAILED: { tone: "negative", progress: "settled" },
};

export function TransferStatus({ state }: { state: TransferState }) {
  const t = useTranslations("transfers.states");
  return <Status {...LOOKS[state]}>{t(state)}</Status>;
}

/** An account by its branch and number, a TED's recipient by masked name and bank. */
export function PartyName({ party }: { party: Party }) {
  const t = useTranslations("transfers");
  if (party === null) return <span className="text-faint">{t("unread")}</span>;
  if (party.as === "account") {
    return (
      <span className="flex min-w-0 flex-wrap items-center gap-x-2">
        <ProviderText text={party.name} />
        <StandingMark standing={party.standing} />
      </span>
    );
  }
  const bank = party.bank ?? t("facts.bankUnknown", { ispb: party.ispb });
  return (
    <>
      {party.name} <span className="text-muted">{bank}</span>
    </>
  );
}

export function RecipientFacts({ to }: { to: Recipient }) {
  const t = useTranslations("transfers");
  const code = String(to.code).padStart(3, "0");
  return (
    <>
      <Described name={t("facts.recipient")}>{to.name}</Described>
      <Described name={t("facts.document")}>{to.document}</Described>
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
