import { useTranslations } from "next-intl";
import Link from "next/link";
import { CoinAmount } from "@/components/layout/amount";
import { ProviderText } from "@/components/layout/provider-text";
import { ShortEnds } from "@/components/table/short-code";
import { type Look, Status } from "@/components/ui/status";
import { shortAddress } from "@/lib/text/short";
import type { SendParty, SendRow, SendState } from "@/lib/wallets/sends-view";

const LOOKS: Record<SendState, Look> = {
  WAITING: { tone: "warning", progress: "waiting" },
  SENDING: { tone: "info", progress: "moving" },
  HELD: { tone: "info", progress: "waiting" },
  UNKNOWN: { tone: "warning", progress: "moving" },
  DONE: { tone: "positive", progress: "settled" },
  BLOCKED: { tone: "negative", progress: "settled" },
  REFUSED: { tone: "negative", progress: "settled" },
  REJECTED: { tone: "negative", progress: "settled" },
  NOT_SENT: { tone: "neutral", progress: "settled" },
};

export function SendStatus({ state, cause }: Pick<SendRow, "state" | "cause">) {
  const t = useTranslations("coins");
  return (
    <>
      <Status {...LOOKS[state]}>{t(`states.${state}`)}</Status>
      {cause === null ? null : (
        <span className="block text-sm whitespace-normal text-muted">{t(`causes.${cause}`)}</span>
      )}
    </>
  );
}

/** By its label, where finance gave one. */
export function Party({ of }: { of: SendParty | null }) {
  const t = useTranslations();
  if (of === null) return <span className="text-faint">{t("coins.unread")}</span>;
  const { address, label, use } = of;
  const said = label ?? (use === null ? null : t(`wallets.uses.${use}`));
  return (
    <>
      {said === null ? null : <span className="block truncate">{said}</span>}
      <ShortEnds text={address} className={said === null ? "flex" : "flex text-muted"} />
    </>
  );
}

export function PartyLink({ of }: { of: SendParty }) {
  const { walletId, address, label } = of;
  const shown = label ?? <ProviderText text={shortAddress(address)} />;
  if (walletId === null) return shown;
  return (
    <Link href={`/wallets/${encodeURIComponent(walletId)}`} prefetch={false} className="text-accent hover:underline">
      {shown}
    </Link>
  );
}

export function SentCoins({ row: { order } }: { row: Pick<SendRow, "order"> }) {
  const t = useTranslations("coins");
  if (order === null) return <span className="text-faint">{t("unread")}</span>;
  return <CoinAmount decimal={order.amount} unit={order.asset} />;
}
