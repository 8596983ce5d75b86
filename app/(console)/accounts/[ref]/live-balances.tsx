"use client";

import { useQuery } from "@tanstack/react-query";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Freshness } from "@/components/live/freshness";
import { Money } from "@/components/table/money";
import { ProviderText } from "@/components/table/provider-text";
import { StaleNotice } from "@/components/live/stale-notice";
import { SIGNED_OUT, useRead } from "@/components/live/use-read";
import type { BalanceView } from "@/lib/accounts/queries";
import { isDecimal, isZero } from "@/lib/text/format";
import { failureIn } from "@/lib/errors/result";
import { formatTime } from "@/lib/text/format";

type Words = { available: string; blocked: string; blockedNone: string; blockedSome: string; untold: string } & {
  standings: Record<Exclude<BalanceView["standing"], "UNTOLD">, string>;
};

type LiveBalancesProps = { accountRef: string; initial: BalanceView; words: Words };

/** Available and blocked, side by side. The provider is asked again only when somebody presses for it: see its limit. */
export function LiveBalances({ accountRef, initial, words }: LiveBalancesProps) {
  const t = useTranslations("common");
  const locale = useLocale();
  const read = useRead();
  const {
    data: balance,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ["balance", accountRef],
    queryFn: ({ signal }) => read<BalanceView>(`/api/accounts/${accountRef}/balance`, signal),
    initialData: initial,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const isNothingBlocked = isDecimal(balance.blockedBalance) && isZero(balance.blockedBalance);
  return (
    <>
      {error ? (
        <StaleNotice
          isOnDemand
          fresh={{ ...balance, failure: failureIn(error) }}
          trouble={error.cause === SIGNED_OUT ? "signed-out" : "failed"}
        />
      ) : null}
      <div className="relative border-b border-line">
        <dl className="grid sm:grid-cols-2">
          <Amount
            name={words.available}
            note={t("updatedAt", { time: formatTime(balance.asOf, locale) })}
            status={<BalanceStatus balance={balance} words={words} />}
          >
            <Told amount={balance.balance} untold={words.untold} />
          </Amount>
          <Amount
            name={words.blocked}
            note={isNothingBlocked ? words.blockedNone : balance.blockedBalance === "" ? "" : words.blockedSome}
            isQuiet={isNothingBlocked}
          >
            <Told amount={balance.blockedBalance} untold={words.untold} />
          </Amount>
        </dl>
        <div className="absolute top-3 right-3.5">
          <Freshness isSilent asOf={balance.asOf} isRefreshing={isFetching} refresh={() => void refetch()} />
        </div>
      </div>
    </>
  );
}

/** An amount, or what the provider wrote in its place. */
function Told({ amount, untold }: { amount: string; untold: string }) {
  if (isDecimal(amount)) return <Money decimal={amount} />;
  return amount === "" ? untold : <ProviderText text={amount} />;
}

/** What the provider says of the account beside its balance; nothing where it says nothing. */
function BalanceStatus({ balance: { status, standing }, words }: { balance: BalanceView; words: Words }) {
  if (standing !== "UNTOLD") return words.standings[standing];
  return status === "" ? null : <ProviderText text={status} />;
}

type AmountProps = { name: string; note: string; status?: ReactNode; isQuiet?: boolean; children: ReactNode };

function Amount({ name, note, status = null, isQuiet = false, children }: AmountProps) {
  return (
    <div className="px-5 py-4 max-sm:not-first:border-t sm:not-first:border-l not-first:border-line">
      <dt className="text-sm text-muted">{name}</dt>
      <dd>
        <span className={isQuiet ? "text-xl font-medium text-faint" : "text-xl font-semibold"}>{children}</span>
        <span className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-muted tabular-nums">
          <span>{note}</span>
          {status === null ? null : <span>{status}</span>}
        </span>
      </dd>
    </div>
  );
}
