"use client";

import { useQuery } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { Freshness } from "@/components/freshness/freshness";
import { Money } from "@/components/table/money";
import { ProviderText } from "@/components/layout/provider-text";
import { StaleNotice } from "@/components/freshness/stale-notice";
import { SIGNED_OUT, useRead } from "@/components/session/use-read";
import type { BalanceView } from "@/lib/accounts/queries";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { formatAsOf, formatBrl, formatDateTime, isDecimal, isZero } from "@/lib/text/format";
import type { TransferRow } from "@/lib/transfers/view";
import { failureIn, type ReadFailure } from "@/lib/errors/result";

type Words = {
  available: string;
  blocked: string;
  blockedNone: string;
  blockedSome: string;
  total: string;
  untold: string;
} & {
  standings: Record<Exclude<BalanceView["standing"], "UNKNOWN">, string>;
};

export type HeldTransfer = Pick<TransferRow, "id" | "amount" | "antifraudId" | "until">;

type LiveBalancesProps = {
  accountRef: string;
  initial: BalanceView;
  /** Why `initial` is not current. */
  failure: ReadFailure | null;
  held: readonly HeldTransfer[];
  words: Words;
};

const TRIES_AGAIN_AFTER_MS = 15_000;

const mayPass = ({ cause }: Error) => typeof cause !== "number" || cause === 429 || cause >= 500;

/** Asks the provider only on request (its limit is low), but retries by itself after a failure. */
export function LiveBalances({ accountRef, initial, failure, held, words }: LiveBalancesProps) {
  const router = useRouter();
  const read = useRead();
  const isEarlier = (shown: BalanceView | undefined) => failure !== null && shown?.asOf === initial.asOf;
  const {
    data: balance,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ["balance", accountRef],
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const fresh = await read<BalanceView>(`/api/accounts/${accountRef}/balance`, signal);
      // After an outage or a released hold, other parts of the page are out of date too.
      if (failure !== null || fresh.blockedBalance !== initial.blockedBalance) router.refresh();
      return fresh;
    },
    initialData: initial,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchInterval: ({ state: { error: latest, data } }) =>
      (latest === null ? isEarlier(data) : mayPass(latest)) && TRIES_AGAIN_AFTER_MS,
  });
  const wasEarlier = isEarlier(balance);
  const trouble = error === null ? (wasEarlier ? failure : null) : failureIn(error);
  return (
    <>
      {trouble === null ? null : (
        <StaleNotice
          fresh={{ ...balance, failure: trouble }}
          trouble={error?.cause === SIGNED_OUT ? "signed-out" : "failed"}
        />
      )}
      <div className="relative border-b border-line">
        <BalanceFigures balance={balance} words={words} />
        <div className="absolute top-3 right-3.5">
          <Freshness isSilent asOf={balance.asOf} isRefreshing={isFetching} refresh={() => void refetch()} />
        </div>
      </div>
      <Holds blocked={balance.blockedBalance} held={held} />
    </>
  );
}

export function BalanceFigures({ balance, words }: Pick<LiveBalancesProps, "words"> & { balance: BalanceView }) {
  const t = useTranslations("common");
  const locale = useLocale();
  const isTold = isDecimal(balance.balance) && isDecimal(balance.blockedBalance);
  const isNothingBlocked = isDecimal(balance.blockedBalance) && isZero(balance.blockedBalance);
  return (
    <dl className="grid medium:grid-cols-2">
      <Amount
        name={words.available}
        note={t("updatedAt", { time: formatAsOf(balance.asOf, locale) })}
        status={<BalanceStatus balance={balance} words={words} />}
      >
        <ReportedAmount amount={balance.balance} untold={words.untold} />
      </Amount>
      <Amount
        name={words.blocked}
        note={isNothingBlocked ? words.blockedNone : balance.blockedBalance === "" ? "" : words.blockedSome}
        isQuiet={isNothingBlocked}
      >
        <ReportedAmount amount={balance.blockedBalance} untold={words.untold} />
      </Amount>
      {isTold && !isNothingBlocked ? (
        <div className="flex flex-wrap gap-x-2 border-t border-line px-5 py-2 text-sm medium:col-span-2">
          <dt className="text-muted">{words.total}</dt>
          <dd className="font-medium">
            <Money decimal={decimalOf(unitsOf(balance.balance) + unitsOf(balance.blockedBalance))} />
          </dd>
        </div>
      ) : null}
    </dl>
  );
}

/** The transfers that explain the blocked amount, and the unexplained rest. */
function Holds({ blocked, held }: { blocked: string; held: readonly HeldTransfer[] }) {
  const t = useTranslations("holds");
  const locale = useLocale();
  if (held.length === 0 && (!isDecimal(blocked) || isZero(blocked))) return null;
  const known = held.reduce((sum, { amount }) => (amount === null ? sum : sum + unitsOf(amount)), 0n);
  const rest = isDecimal(blocked) ? unitsOf(blocked) - known : 0n;
  const size = formatBrl(decimalOf(rest < 0n ? -rest : rest), locale);
  return (
    <section aria-label={t("title")} className="border-b border-line px-5 py-3 text-sm">
      <ul className="space-y-1">
        {held.map(({ id, amount, antifraudId, until }) => (
          <li key={id} className="flex flex-wrap gap-x-3 tabular-nums">
            <Link href={`/transfers/${id}`} prefetch={false} className="font-medium text-accent hover:underline">
              {amount === null ? t("unread") : <Money decimal={amount} />}
            </Link>
            {antifraudId === null ? null : (
              <span className="text-muted">
                {t("case")} <ProviderText text={antifraudId} />
              </span>
            )}
            {until === null ? null : (
              <span className="text-muted">{t("until", { time: formatDateTime(until, locale) })}</span>
            )}
          </li>
        ))}
        {rest === 0n ? null : <li className="text-muted">{t(rest > 0n ? "rest" : "less", { amount: size })}</li>}
      </ul>
    </section>
  );
}

/** An amount, or the provider's text when it is no amount. */
function ReportedAmount({ amount, untold }: { amount: string; untold: string }) {
  if (isDecimal(amount)) return <Money decimal={amount} />;
  return amount === "" ? <span>{untold}</span> : <ProviderText key={amount} text={amount} />;
}

/** The account's status as reported with its balance; nothing when absent. */
function BalanceStatus({ balance: { status, standing }, words }: { balance: BalanceView; words: Words }) {
  if (standing !== "UNKNOWN") return words.standings[standing];
  return status === "" ? null : <ProviderText text={status} />;
}

type AmountProps = { name: string; note: string; status?: ReactNode; isQuiet?: boolean; children: ReactNode };

function Amount({ name, note, status = null, isQuiet = false, children }: AmountProps) {
  return (
    <div className="px-5 py-4 max-medium:not-first:border-t medium:not-first:border-l not-first:border-line">
      <dt className="text-sm text-muted">{name}</dt>
      <dd>
        <span className={isQuiet ? "text-xl font-medium text-faint" : "text-xl font-semibold"}>{children}</span>
        <span className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-muted tabular-nums">
          <span key={note}>{note}</span>
          {status === null ? null : <span>{status}</span>}
        </span>
      </dd>
    </div>
  );
}
