import { useTranslations } from "next-intl";
import { Contract } from "@/app/(console)/wallets/wallet-words";
import { CoinAmount } from "@/components/layout/amount";
import { PersonName } from "@/components/layout/person-name";
import { SafeLink } from "@/components/table/safe-link";
import { ShortCode } from "@/components/table/short-code";
import { ProviderText } from "@/components/layout/provider-text";
import { type Look, Status } from "@/components/ui/status";
import type { DepositClass } from "@/lib/db/enums/deposits";
import type { DepositRow } from "@/lib/deposits/view";

const LOOKS: Record<DepositClass, Look> = {
  expected: { tone: "info", progress: "waiting" },
  arrived: { tone: "positive", progress: "settled" },
  late: { tone: "warning", progress: "waiting" },
  twice: { tone: "negative", progress: "settled" },
  unattributed: { tone: "warning", progress: "moving" },
  untold: { tone: "warning", progress: "moving" },
};

const IS_SAID: ReadonlySet<string> = new Set(["told", "unconfirmed", "summed", "dropped", "failed"]);

/** What a class alone does not say: why, how far it is, and whether what is late is there. */
function useDetail({ kind, class: standing, cause, stage }: DepositRow): string | null {
  const t = useTranslations("deposits");
  if (cause !== null && cause !== "unexpected" && cause !== "withdrawn") return t(`causes.${cause}`);
  if (stage !== null && IS_SAID.has(stage)) return t(`stages.${stage}`);
  return kind === "expected" && standing === "late" ? t("notArrived") : null;
}

export function DepositStatus({ row }: { row: DepositRow }) {
  const t = useTranslations("deposits");
  const detail = useDetail(row);
  const look: Look = row.class === null ? { tone: "neutral", progress: "settled" } : LOOKS[row.class];
  const ended = row.cause === "withdrawn" ? t("causes.withdrawn") : t("fulfilled");
  const gone = row.kind === "expected" ? ended : t("gone");
  return (
    <>
      <Status {...look}>{row.class === null ? gone : t(`classes.${row.class}`)}</Status>
      {detail === null ? null : <span className="block text-sm whitespace-normal text-muted">{detail}</span>}
    </>
  );
}

export function DepositCoins({ row: { amount, isExact, asset, kind } }: { row: DepositRow }) {
  const t = useTranslations("deposits");
  const untold = kind === "expected" ? "" : t("assetUntold");
  return isExact ? <CoinAmount decimal={amount} unit={asset ?? untold} /> : <ProviderText text={amount} />;
}

/** Its contract, where that is not what it is called by. */
export const contractOf = ({ isExact, asset, token }: DepositRow): string | null =>
  !isExact || token === asset ? null : token;

export function DepositAmount({ row }: { row: DepositRow }) {
  return (
    <>
      <DepositCoins row={row} />
      <Contract of={contractOf(row)} />
    </>
  );
}

export function DepositHash({ row: { hash, explorer } }: { row: DepositRow }) {
  const t = useTranslations("deposits");
  if (hash === null) return <span className="text-faint">{t("noHash")}</span>;
  return (
    <>
      <ShortCode text={hash} copyLabel={t("copyHash")} />
      {explorer === null ? null : <SafeLink link={explorer} />}
    </>
  );
}

export function DepositOwner({ row: { owner, reason, note } }: { row: DepositRow }) {
  const t = useTranslations("deposits");
  return (
    <>
      {owner === null ? (
        <span className="text-faint">{t("noOwner")}</span>
      ) : (
        <PersonName name={owner.name} you={owner.isMine ? t("you") : null} />
      )}
      {reason === null ? null : (
        <span className="block truncate text-sm text-muted" title={note ?? undefined}>
          {t(`reasons.${reason}`)}
        </span>
      )}
    </>
  );
}
