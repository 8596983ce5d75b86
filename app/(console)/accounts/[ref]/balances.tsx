import { getLocale, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { Money } from "@/components/money";
import { Skeleton } from "@/components/ui/skeleton";
import { getBalance } from "@/lib/accounts/queries";
import { formatTime } from "@/lib/format";

const isZero = (decimal: string) => !/[1-9]/.test(decimal);

/** Available and blocked, side by side, as the provider answers now. */
export async function Balances({ accountRef }: { accountRef: string }) {
  const [balance, t, locale] = await Promise.all([getBalance(accountRef), getTranslations(), getLocale()]);
  const isNothingBlocked = isZero(balance.blockedBalance);
  return (
    <dl className="grid border-y border-line sm:grid-cols-2">
      <Amount name={t("accounts.available")} note={t("common.updatedAt", { time: formatTime(balance.asOf, locale) })}>
        <Money decimal={balance.balance} />
      </Amount>
      <Amount
        name={t("accounts.blocked")}
        note={isNothingBlocked ? t("accounts.blockedNone") : t("accounts.blockedSome")}
        isQuiet={isNothingBlocked}
      >
        <Money decimal={balance.blockedBalance} />
      </Amount>
    </dl>
  );
}

type AmountProps = { name: string; note: string; isQuiet?: boolean; children: ReactNode };

function Amount({ name, note, isQuiet = false, children }: AmountProps) {
  return (
    <div className="px-5 py-4 max-sm:not-first:border-t sm:not-first:border-l not-first:border-line">
      <dt className="text-sm text-muted">{name}</dt>
      <dd>
        <span className={isQuiet ? "text-xl font-medium text-faint" : "text-xl font-semibold"}>{children}</span>
        <span className="mt-0.5 block text-sm text-muted tabular-nums">{note}</span>
      </dd>
    </div>
  );
}

export function BalancesSkeleton() {
  return (
    <div aria-hidden className="grid border-y border-line sm:grid-cols-2">
      {["available", "blocked"].map((name) => (
        <div key={name} className="h-25.5 space-y-2.5 px-5 py-4">
          <Skeleton className="h-3.5 w-28" />
          <Skeleton className="h-6 w-44" />
          <Skeleton className="h-3 w-32" />
        </div>
      ))}
    </div>
  );
}
