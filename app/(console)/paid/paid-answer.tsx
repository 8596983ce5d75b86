import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { DepositAmount, DepositStatus } from "@/app/(console)/deposits/deposit-words";
import { ProviderText } from "@/components/layout/provider-text";
import { RecordSection } from "@/components/layout/record-columns";
import { CopyButton } from "@/components/table/copy-button";
import { BELOW, type Columns, DataTable } from "@/components/table/data-table";
import { SafeLink } from "@/components/table/safe-link";
import { ShortCode } from "@/components/table/short-code";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { type Look, Status } from "@/components/ui/status";
import type { PaidVerdict } from "@/lib/db/enums/deposits";
import { MOST_CALLS, type PaidAnswer, type PaidDeposit, type PaidRead, type PaidTally } from "@/lib/deposits/paid-view";
import { formatCrypto, formatDate, formatDateTime, formatTime } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { shortAddress } from "@/lib/text/short";

const GOOD: Look = { tone: "positive", progress: "settled" };
const MOVING: Look = { tone: "info", progress: "moving" };
const ODD: Look = { tone: "warning", progress: "settled" };
const BAD: Look = { tone: "negative", progress: "settled" };
const OPEN: Look = { tone: "warning", progress: "waiting" };
const NOTHING: Look = { tone: "neutral", progress: "settled" };

const LOOKS: Readonly<Record<PaidVerdict, Look>> = {
  paid: GOOD,
  "no-event": OPEN,
  swept: OPEN,
  told: MOVING,
  unconfirmed: MOVING,
  dropped: BAD,
  failed: BAD,
  "other-network": ODD,
  "other-asset": ODD,
  short: ODD,
  over: ODD,
  "other-reference": ODD,
  "own-wallet": ODD,
  left: ODD,
  "not-seen": NOTHING,
  "not-seen-in-part": OPEN,
  "hash-nowhere": OPEN,
  "not-ours": NOTHING,
  unknown: NOTHING,
  "no-address": OPEN,
  unread: OPEN,
};

/** As it may be read aloud to the customer. */
function useSentence(): (answer: PaidAnswer) => string {
  const t = useTranslations();
  const locale = useLocale();
  const said = (amount: string, asset: string | null) =>
    providerText([formatCrypto(amount, locale), asset ?? ""].join(" ").trim());
  const list = new Intl.ListFormat(locale);
  const tallyIn = (tally: PaidTally): string[] => {
    const { reference, count, isPart, sums, expected } = tally;
    const summed = sums.map(({ amount, asset, network }) =>
      [
        said(amount, asset ?? `(${t("deposits.assetUntold")})`),
        network === null ? "" : `(${t(`wallets.networks.${network}`)})`,
      ]
        .join(" ")
        .trim(),
    );
    const of = reference === null ? t("paid.atAddress") : t("paid.ofReference", { reference });
    const open = expected.map(({ amount, asset }) => said(amount, asset));
    return [
      t("paid.tally", { count, isPart: String(isPart), of, sums: list.format(summed) }),
      ...(open.length === 0 ? [] : [t("paid.stillExpected", { expected: list.format(open) })]),
    ];
  };
  return ({
    verdict,
    tally,
    unfound,
    isFromOwn,
    facts: { amount, asset, network, at, reference, expected, difference },
  }) => {
    const assetSaid = asset ?? `(${t("deposits.assetUntold")})`;
    const networkOf = (name: typeof network) =>
      name === null ? t("paid.networkUntold") : t(`wallets.networks.${name}`);
    const judged = t(`paid.verdicts.${verdict}`, {
      what: amount === null ? "" : said(amount, assetSaid),
      network: networkOf(network),
      at: at === null ? t("paid.onUntold") : t("paid.on", { when: formatDateTime(at, locale) }),
      isExpected: String(expected !== null),
      expected: expected === null ? "" : said(expected.amount, expected.asset),
      expectedNetwork: networkOf(expected?.network ?? null),
      difference: difference === null ? "" : said(difference, asset),
      reference: reference ?? t("paid.untoldReference"),
    });
    const own = isFromOwn ? [t("paid.fromOwn")] : [];
    const answer = [judged, ...own, ...(tally === null ? [] : tallyIn(tally))].join(" ");
    if (unfound.length === 0) return answer;
    const hashes = unfound.map((hash) => shortAddress(hash)).join(", ");
    return t("paid.hashUnfound", { count: unfound.length, hashes, answer });
  };
}

/** What arrived may want somebody's decision still. */
function nextOf({ verdict, facts: { standing, cause } }: PaidAnswer) {
  const isArrived = verdict === "paid" || verdict === "no-event" || verdict === "swept";
  const isOdd = standing === "unattributed" || standing === "twice" || standing === "untold";
  if (isArrived && isOdd) return standing;
  return verdict === "paid" && cause === "unexpected" ? cause : verdict;
}

const isUnread = ({ state }: PaidRead) => state !== "read";

type PaidAnswerViewProps = { asked: string; answer: PaidAnswer; isReading: boolean; onAgain: () => void };

export function PaidAnswerView({ asked, answer, isReading, onAgain }: PaidAnswerViewProps) {
  const t = useTranslations("paid");
  const words = useTranslations("audit.values.verdict");
  const locale = useLocale();
  const sentence = useSentence()(answer);
  const { verdict, reads, moreUnread, calls, asOf } = answer;
  const unread = reads.filter(isUnread).length + moreUnread;
  return (
    <div className="border-t border-line">
      <section aria-labelledby="answer" className="max-w-3xl px-5 pt-5 pb-6">
        <p className="truncate text-sm text-muted" title={providerText(asked)}>
          <ProviderText text={asked} />
        </p>
        <p className="mt-3">
          {answer.unfound.length === 0 ? null : (
            <>
              <Status {...LOOKS["hash-nowhere"]}>{words("hash-nowhere")}</Status>{" "}
            </>
          )}
          <Status {...LOOKS[verdict]}>{words(verdict)}</Status>
        </p>
        <h2 id="answer" className="mt-1 text-lg font-semibold text-pretty wrap-anywhere">
          {sentence} <CopyButton text={sentence} label={t("copy")} />
        </h2>
        <p className="mt-1 text-muted text-pretty">
          {t(`next.${nextOf(answer)}`, { isHandler: String(answer.isHandler) })}
        </p>
        {answer.isFromBefore ? (
          <Notice tone="warning" className="mt-3">
            {t("fromBefore")}
          </Notice>
        ) : null}
        {unread === 0 ? null : (
          <Notice tone="warning" className="mt-3">
            {t("someUnread", { unread, total: reads.length + moreUnread, more: moreUnread })}
          </Notice>
        )}
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Button onClick={onAgain} isBusy={isReading}>
            {t("again")}
          </Button>
          <span className="text-sm text-muted tabular-nums">
            {t("readAt", { time: formatTime(asOf, locale) })} · {t("calls", { count: calls })}
          </span>
        </div>
      </section>
      <Found answer={answer} />
      <Reads reads={reads} moreUnread={moreUnread} />
    </div>
  );
}

function FoundElsewhere({ verdict, facts }: PaidAnswer & { verdict: "left" | "own-wallet" }) {
  const t = useTranslations();
  const locale = useLocale();
  const { amount, asset, network, at, hash, explorer } = facts;
  const what = [amount === null ? "" : formatCrypto(amount.replace("-", ""), locale), asset ?? ""].join(" ").trim();
  return (
    <RecordSection id="found" title={t("paid.deposits")}>
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-5">
        <p className="text-pretty wrap-anywhere">
          {t(`paid.noDeposit.${verdict}`, {
            isTold: String(amount !== null),
            what: providerText(what),
            network: network === null ? t("paid.networkUntold") : t(`wallets.networks.${network}`),
            at: at === null ? t("paid.onUntold") : t("paid.on", { when: formatDateTime(at, locale) }),
          })}
        </p>
        {hash === null ? null : (
          <span>
            <ShortCode text={hash} copyLabel={t("deposits.copyHash")} />
            {explorer === null ? null : <SafeLink link={explorer} />}
          </span>
        )}
      </div>
    </RecordSection>
  );
}

const TwoLines = ({ first, second }: { first: ReactNode; second: string }) => (
  <>
    {first}
    <span className="block text-sm whitespace-normal text-muted">{second}</span>
  </>
);

function Found({ answer }: { answer: PaidAnswer }) {
  const t = useTranslations();
  const locale = useLocale();
  const { verdict, deposits } = answer;
  if (deposits.length === 0)
    return verdict === "left" || verdict === "own-wallet" ? (
      <FoundElsewhere {...answer} verdict={verdict} />
    ) : (
      <RecordSection id="found" title={t("paid.deposits")} empty={t("paid.noDeposits")} />
    );
  const columns: Columns<PaidDeposit> = {
    amount: {
      header: t("deposits.columns.amount"),
      width: "amount",
      td: "py-1.5",
      cell: ({ row, href }) => (
        <>
          {href === null ? (
            <span className="font-medium whitespace-normal">
              <DepositAmount row={row} />
            </span>
          ) : (
            <Link href={href} prefetch={false} className="row-link font-medium whitespace-normal">
              <DepositAmount row={row} />
            </Link>
          )}
          <span className="block text-sm text-muted">
            {row.network === null ? t("deposits.networkUntold") : t(`wallets.networks.${row.network}`)}
          </span>
        </>
      ),
    },
    class: { header: t("deposits.columns.class"), width: "status", cell: ({ row }) => <DepositStatus row={row} /> },
    reference: {
      header: t("deposits.columns.reference"),
      width: "text",
      td: BELOW,
      cell: ({ row: { reference, isUnopened } }) =>
        reference ?? (
          <span className="text-faint">{isUnopened ? t("common.unopened") : t("deposits.noReference")}</span>
        ),
    },
    hash: {
      header: t("deposits.columns.hash"),
      width: "id",
      td: BELOW,
      cell: ({ row: { hash, explorer } }) =>
        hash === null ? (
          <span className="text-faint">{t("deposits.noHash")}</span>
        ) : (
          <>
            <ShortCode text={hash} copyLabel={t("deposits.copyHash")} />
            {explorer === null ? null : <SafeLink link={explorer} />}
          </>
        ),
    },
    at: {
      header: t("deposits.columns.at"),
      width: "date",
      td: BELOW,
      cell: ({ row: { at, kind, dueAt }, eventAt }) => {
        const time = formatDateTime(at, locale);
        const told =
          eventAt === null ? t("paid.noEvent") : t("paid.eventAt", { time: formatDateTime(eventAt, locale) });
        if (kind !== "expected") return <TwoLines first={<time dateTime={at}>{time}</time>} second={told} />;
        const due = dueAt === null ? t("paid.undated") : t("deposits.dueOn", { day: formatDate(dueAt, locale) });
        return <TwoLines first={due} second={t("paid.typedAt", { time })} />;
      },
    },
  };
  return (
    <RecordSection id="found" title={t("paid.deposits")}>
      <DataTable
        label={t("paid.deposits")}
        columns={columns}
        rows={deposits}
        keyOf={({ row }) => row.id}
        narrow="grid"
      />
    </RecordSection>
  );
}

function ReadState({ read: { state, until } }: { read: PaidRead }) {
  const t = useTranslations("paid.states");
  const locale = useLocale();
  if (state === "put-off")
    return until === null ? t("put-offUntold") : t("put-off", { time: formatTime(until, locale) });
  return t(state, { most: MOST_CALLS });
}

function Reads({ reads, moreUnread }: Pick<PaidAnswer, "reads" | "moreUnread">) {
  const t = useTranslations();
  const locale = useLocale();
  if (reads.length === 0) return <RecordSection id="reads" title={t("paid.reads")} empty={t("paid.noReads")} />;
  return (
    <RecordSection id="reads" title={t("paid.reads")}>
      <ul aria-labelledby="reads" className="divide-y divide-line border-y border-line">
        {reads.map((read) => {
          const { network, asset, address, asOf } = read;
          const of = network === null ? t("paid.unlistedNetwork") : t(`wallets.networks.${network}`);
          const what = asset === null ? t("paid.everything") : providerText(asset);
          return (
            <li
              key={`${address} ${network} ${asset}`}
              className="grid grid-cols-1 gap-x-4 px-5 py-2 @medium:grid-cols-[minmax(0,1fr)_12rem_minmax(0,1.5fr)] @medium:items-center"
            >
              <span className="wrap-anywhere">{t("paid.networkOf", { network: of, asset: what })}</span>
              <ShortCode text={address} copyLabel={t("deposits.copyAddress")} />
              <span className={isUnread(read) ? "text-sm text-warning" : "text-sm text-muted"}>
                <ReadState read={read} />
                {" · "}
                {asOf === null ? t("paid.never") : t("paid.last", { time: formatDateTime(asOf, locale) })}
              </span>
            </li>
          );
        })}
      </ul>
      {moreUnread === 0 ? null : (
        <p className="px-5 pt-2 text-sm text-warning">{t("paid.moreUnread", { count: moreUnread })}</p>
      )}
    </RecordSection>
  );
}
