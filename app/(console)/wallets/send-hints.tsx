import { useLocale, useTranslations } from "next-intl";
import { Age } from "@/components/freshness/age";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { Notice } from "@/components/ui/notice";
import { formatCrypto, formatDateTime, isZero } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import type { SendHints as Hints } from "@/lib/wallets/view";

/** The approver sees the balance and what would be left, without anything to edit. */
export function SendFacts({ hints, asset, now }: { hints: Hints; asset: string; now: string }) {
  const t = useTranslations("sendHints");
  const locale = useLocale();
  const { balance, asOf, left, held, rest, fee, isOfToken, hasReserve } = hints;
  const sum = (amount: string, of: string) => providerText(`${formatCrypto(amount, locale)} ${of}`);
  const isShort = rest !== null && rest.startsWith("-");
  const pays = fee.balance === null ? t("feeUntold", { coin: fee.coin }) : sum(fee.balance, fee.coin);
  return (
    <>
      <DescriptionList>
        <Described name={t("held")}>
          {balance === null || asOf === null ? (
            <span className="text-muted">{t("untold")}</span>
          ) : (
            <>
              {sum(balance, asset)}{" "}
              <span className="text-muted">
                {t("readOn", { time: formatDateTime(asOf, locale) })}
                {" · "}
                <Age since={asOf} now={now} inSeconds />
              </span>
            </>
          )}
        </Described>
        {left === null ? null : (
          <Described name={t("left")}>{t("sends", { count: left.count, sum: sum(left.sum, asset) })}</Described>
        )}
        {left === null || left.remains === null ? null : (
          <Described name={t("remains")}>{sum(left.remains, asset)}</Described>
        )}
        {held === null ? null : (
          <Described name={t("antifraud")}>{t("sends", { count: held.count, sum: sum(held.sum, asset) })}</Described>
        )}
        {rest === null ? null : (
          <Described name={t("rest")}>
            {isShort ? t("short", { sum: sum(rest.slice(1), asset) }) : sum(rest, asset)}
          </Described>
        )}
        <Described name={isOfToken ? t("feeHeld") : t("feePaid")}>
          {isOfToken ? pays : t("feeOfRest", { coin: fee.coin })}
        </Described>
      </DescriptionList>
      {hasReserve ? <p className="text-muted">{t("reserve")}</p> : null}
      <SendWarnings hints={hints} asset={asset} now={now} />
    </>
  );
}

/** The provider refuses a transfer that leaves nothing for the network's fee. */
export function FeeMissing({ hints: { fee, isAll, isOfToken } }: { hints: Hints }) {
  const t = useTranslations("sendHints");
  const isNone = isOfToken && fee.balance !== null && isZero(fee.balance);
  if (!isNone && !isAll) return null;
  return <Notice tone="warning">{t(isNone ? "feeNone" : "all", { coin: fee.coin })}</Notice>;
}

function ShortTogether({ hints: { rest, waiting }, asset }: { hints: Hints; asset: string }) {
  const t = useTranslations("sendHints");
  const locale = useLocale();
  if (waiting?.short == null || rest === null || rest.startsWith("-")) return null;
  const short = providerText(`${formatCrypto(waiting.short, locale)} ${asset}`);
  return <Notice tone="warning">{t("shortTogether", { short, count: waiting.count })}</Notice>;
}

const OLD_MS = 60_000;

export function SendWarnings({ hints, asset, now }: { hints: Hints; asset: string; now: string }) {
  const t = useTranslations("sendHints");
  const locale = useLocale();
  const { balance, asOf, left, rest } = hints;
  const sum = (amount: string) => providerText(`${formatCrypto(amount, locale)} ${asset}`);
  const isOld = asOf !== null && Date.parse(now) - Date.parse(asOf) >= OLD_MS;
  const isShort = balance !== null && rest !== null && rest.startsWith("-");
  return (
    <>
      {balance === null || asOf === null ? <Notice tone="warning">{t("untold")}</Notice> : null}
      {isOld ? <Notice tone="warning">{t("old", { time: formatDateTime(asOf, locale) })}</Notice> : null}
      {isShort ? (
        <Notice tone="warning">
          {t(left === null ? "isShort" : "isShortSince", {
            balance: sum(left?.remains ?? balance),
            sum: sum(rest.slice(1)),
          })}
        </Notice>
      ) : null}
      <ShortTogether hints={hints} asset={asset} />
      <FeeMissing hints={hints} />
    </>
  );
}

export function SendHints({ hints, asset }: { hints: Hints; asset: string }) {
  const t = useTranslations("sendHints");
  const locale = useLocale();
  const { balance, asOf, left, held, rest, fee, isAll, isOfToken, hasReserve, waiting } = hints;
  const sum = (amount: string, of: string) => providerText(`${formatCrypto(amount, locale)} ${of}`);
  return (
    <div className="space-y-2 text-sm">
      <p className="text-muted tabular-nums">
        {balance === null || asOf === null
          ? t("untold")
          : t("balance", { balance: sum(balance, asset), time: formatDateTime(asOf, locale) })}{" "}
        {isOfToken
          ? t("feeOfToken", {
              coin: fee.coin,
              balance: fee.balance === null ? "none" : sum(fee.balance, fee.coin),
            })
          : isAll
            ? null
            : t("fee", { coin: fee.coin })}
      </p>
      {hasReserve ? <p className="text-muted">{t("reserve")}</p> : null}
      {left === null || left.remains === null ? null : (
        <p className="tabular-nums">
          {t("leftSince", { count: left.count, sum: sum(left.sum, asset), rest: sum(left.remains, asset) })}
        </p>
      )}
      {left === null || left.remains === null || rest === null || !rest.startsWith("-") ? null : (
        <Notice tone="warning">
          {t("isShortSince", { balance: sum(left.remains, asset), sum: sum(rest.slice(1), asset) })}
        </Notice>
      )}
      {held === null ? null : (
        <p className="tabular-nums">{t("antifraudHolds", { count: held.count, sum: sum(held.sum, asset) })}</p>
      )}
      {waiting === null ? null : (
        <p className="tabular-nums">{t("waiting", { count: waiting.count, sum: sum(waiting.sum, asset) })}</p>
      )}
      <ShortTogether hints={hints} asset={asset} />
      <FeeMissing hints={hints} />
    </div>
  );
}
