import { getTranslations } from "next-intl/server";
import { Skeleton } from "@/components/ui/skeleton";
import { getBalance } from "@/lib/accounts/queries";
import { LiveBalances } from "./live-balances";

/** What the account holds, as the provider answers now. */
export async function Balances({ accountRef }: { accountRef: string }) {
  const [balance, t] = await Promise.all([getBalance(accountRef), getTranslations("accounts")]);
  const words = {
    available: t("available"),
    blocked: t("blocked"),
    blockedNone: t("blockedNone"),
    blockedSome: t("blockedSome"),
    untold: t("untold"),
    standings: {
      OPEN: t("providerStatus.OPEN"),
      CLOSED: t("providerStatus.CLOSED"),
      BLOCKED: t("providerStatus.BLOCKED"),
    },
  };
  return <LiveBalances key={balance.asOf} accountRef={accountRef} initial={balance} words={words} />;
}

export function BalancesSkeleton() {
  return (
    <div aria-hidden className="grid border-b border-line sm:grid-cols-2">
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
