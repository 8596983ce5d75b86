import { ScreenSkeleton } from "@/components/layout/screen-skeleton";
import { Skeleton } from "@/components/ui/skeleton";
import { BalancesSkeleton } from "./balances";
import { StatementSkeleton } from "./statement";

export default function LoadingAccount() {
  return (
    <ScreenSkeleton titleWidth="w-56">
      <div className="px-5 pt-1 pb-5">
        <Skeleton className="h-3.5 w-3/4 max-w-xl" />
      </div>
      <BalancesSkeleton />
      <div className="px-5 pt-6.5 pb-2.5">
        <Skeleton className="h-4 w-20" />
      </div>
      <div className="flex flex-wrap gap-4 border-b border-line px-5 pb-3">
        <Skeleton className="h-7 w-56" />
        <Skeleton className="h-7 w-72" />
      </div>
      <StatementSkeleton />
    </ScreenSkeleton>
  );
}
