import { useLocale, useTranslations } from "next-intl";
import { useStatusWord } from "@/app/(console)/kyc/case-words";
import { ShownValue } from "@/app/(console)/approvals/shown-value";
import { useFirstUse } from "@/app/(console)/approvals/spoken-value";
import { SendWarnings } from "@/app/(console)/wallets/send-hints";
import { Notice } from "@/components/ui/notice";
import type { ApprovalRecord } from "@/lib/approvals/queries";
import { isSentAtOnce } from "@/lib/approvals/view";
import { formatAsOf, formatBrl, formatDateTime } from "@/lib/text/format";
import type { Payer } from "@/lib/transfers/queries";
import type { ProposedCoins } from "@/lib/wallets/view";
import { ClosingParties } from "@/app/(console)/transfers/closing-parties";
import { Blocking } from "./blocking";

type PayerWarningsProps = { payer: Payer; isClosing: boolean };

export function PayerWarnings({ payer, isClosing }: PayerWarningsProps) {
  const t = useTranslations("approvals.payer");
  const locale = useLocale();
  const { balance, blocked, at, rest, waiting, arriving, closing, isShort, isShortTogether, isEarlier } = payer;
  return (
    <>
      {rest !== null && (isShort || isShortTogether) ? (
        <Notice tone="warning">{t(isShort ? "short" : "shortTogether", { balance: formatBrl(rest, locale) })}</Notice>
      ) : null}
      {waiting.count === 0 ? null : (
        <Notice tone="warning">
          {t(isClosing ? "waitingClosing" : "waiting", {
            count: waiting.count,
            amount: formatBrl(waiting.sum, locale),
          })}
        </Notice>
      )}
      {arriving.count === 0 ? null : (
        <Notice tone="warning">
          {t("arriving", { count: arriving.count, amount: formatBrl(arriving.sum, locale) })}
        </Notice>
      )}
      <ClosingParties closing={closing} />
      {isClosing ? <Blocking balance={balance} blocked={blocked} /> : null}
      {at === null ? (
        <Notice tone="warning">{t("never")}</Notice>
      ) : isEarlier ? (
        <Notice tone="warning">{t("old", { time: formatDateTime(at, locale) })}</Notice>
      ) : null}
    </>
  );
}

export function Beside({ beside }: Pick<ApprovalRecord, "beside">) {
  const t = useTranslations("approvals");
  const networks = useTranslations("wallets.networks");
  return beside.map(({ asset, network, sum, count }) => (
    <p key={`${network} ${asset}`} className="font-medium tabular-nums">
      <ShownValue value={{ as: "coins", amount: sum, asset: asset ?? "" }} />{" "}
      <span className="font-normal">
        {t("coinsBeside", { count, network: network === null ? "" : networks(network) })}
      </span>
    </p>
  ));
}

const READS_FIRST: readonly string[] = ["kyc.decision", "crypto.transfer"];

type SilenceProps = { kind: ApprovalRecord["row"]["kind"]; since: string };

function Silence({ kind, since }: SilenceProps) {
  const t = useTranslations("approvals");
  const time = formatAsOf(since, useLocale());
  return (
    <Notice tone="warning">
      {READS_FIRST.includes(kind)
        ? t("silent.unsent", { time, unsent: t("states.UNSENT") })
        : t("silent.unsure", { time })}
    </Notice>
  );
}

export function MovedNotice({ moved }: Pick<ApprovalRecord["row"], "moved">) {
  const t = useTranslations("approvals");
  const locale = useLocale();
  const wordOf = useStatusWord();
  if (moved === null) return null;
  const time = formatDateTime(moved.at, locale);
  const { from, to } = moved;
  const said = from === to ? "movedBack" : "movedCase";
  return <Notice tone="warning">{t(said, { from: wordOf(from), to: wordOf(to), time })}</Notice>;
}

type RequestWarningsProps = {
  record: Pick<ApprovalRecord, "row" | "shown" | "beside" | "closingRef" | "asOf">;
  silentSince: string | null;
  /** Undefined while it is being read, null where the account is not known here. */
  payer?: Payer | null;
  coins: ProposedCoins | null;
};

export function RequestWarnings({ record, silentSince, payer, coins }: RequestWarningsProps) {
  const t = useTranslations("approvals");
  const { row, shown, beside, closingRef, asOf } = record;
  const facts = shown?.facts ?? [];
  const first = useFirstUse()(row.kind, facts);
  const isRepeat = row.kind !== "crypto.transfer" && facts.some(({ name }) => name === "repeat");
  return (
    <>
      {shown === null ? <Notice tone="negative">{t("editedBody")}</Notice> : null}
      <MovedNotice moved={row.moved} />
      {silentSince !== null && isSentAtOnce(row.kind) ? <Silence kind={row.kind} since={silentSince} /> : null}
      {payer === undefined ? null : payer === null ? (
        <Notice tone="warning">{t("payer.never")}</Notice>
      ) : (
        <PayerWarnings payer={payer} isClosing={closingRef !== null} />
      )}
      {coins === null || coins.hints === null ? null : (
        <SendWarnings hints={coins.hints} asset={coins.asset} now={asOf} />
      )}
      {beside.length === 0 ? null : (
        <Notice tone="warning">
          <Beside beside={beside} />
        </Notice>
      )}
      {isRepeat ? <Notice tone="warning">{t("repeated")}</Notice> : null}
      {first === null ? null : <Notice tone="warning">{first}</Notice>}
    </>
  );
}
