import { ScreenSkeleton } from "@/components/screen-skeleton";
import { Skeleton } from "@/components/ui/skeleton";

/** The place of a list screen while it loads: same header, toolbar and row heights. */
export function ListSkeleton({ hasToolbar = true }: { hasToolbar?: boolean }) {
  return (
    <ScreenSkeleton titleWidth="w-32">
      {hasToolbar ? (
        <div className="flex h-10.25 items-center gap-4 border-b border-line px-5">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-4 w-24" />
        </div>
      ) : null}
      <div className="h-8 border-b border-line" />
      <div aria-hidden className="skeleton-rows" />
    </ScreenSkeleton>
  );
}
