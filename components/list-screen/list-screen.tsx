import type { ReactNode } from "react";
import { Freshness } from "@/components/freshness/freshness";
import { ReadRows } from "@/components/freshness/read-state";
import { cn } from "@/components/ui/cn";
import type { IconName } from "@/components/ui/icons";
import type { Fresh, Trouble } from "@/lib/text/page";

type Live = {
  page: Pick<Fresh, "asOf" | "isOldest"> & Partial<Pick<Fresh, "isStale" | "failure">> & { rows: readonly unknown[] };
  trouble: Trouble | null;
  isRefreshing: boolean;
  refresh: () => void;
};

type ListScreenProps = {
  live: Live;
  icon: IconName;
  tabs: ReactNode;
  beside?: ReactNode;
  filters?: ReactNode;
  /** Shown instead of the rows; null shows the rows. */
  empty: ReactNode;
  pages: ReactNode;
  unread?: ReactNode;
  /** Announces to screen readers that a tab appears or disappears. */
  said?: string | null;
  children: ReactNode;
};

/** A list that refreshes after paint: filters above, then its rows or why there are none. */
export function ListScreen({ live, icon, tabs, beside, filters, empty, pages, ...given }: ListScreenProps) {
  const { unread, said, children } = given;
  const { page, trouble, isRefreshing, refresh } = live;
  const fresh = { isOldest: false, isStale: false, failure: null, ...page };
  return (
    <>
      <div className={cn("tabs-bar border-b border-line px-5", beside === undefined && "@max-medium:flex-nowrap")}>
        <div className="min-w-0 flex-auto">{tabs}</div>
        <div className="flex min-h-10 items-center gap-x-3">
          {beside}
          <Freshness
            asOf={page.asOf}
            isOldest={fresh.isOldest}
            wasTried={fresh.failure !== null || page.rows.length > 0}
            isRefreshing={isRefreshing}
            refresh={refresh}
          />
        </div>
      </div>
      {filters}
      <ReadRows fresh={fresh} trouble={trouble} icon={icon} empty={empty}>
        {children}
        {pages}
      </ReadRows>
      {unread}
      {said === undefined ? null : (
        <p aria-live="polite" className="sr-only">
          {said}
        </p>
      )}
    </>
  );
}
