import { ScreenSkeleton } from "@/components/screen-skeleton";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";

const LINES = ["w-24", "w-36", "w-28", "w-32", "w-60", "w-32", "w-28"];

/** The place of one record while it loads: same header and line heights. */
export function RecordSkeleton() {
  return (
    <ScreenSkeleton titleWidth="w-56">
      <div className="border-y border-line pt-11">
        {LINES.map((width, line) => (
          <div key={`${line} ${width}`} className="flex h-9.5 items-center gap-20 border-t border-line px-5">
            <Skeleton className="h-3.5 w-20" />
            <Skeleton className={cn("h-3.5", width)} />
          </div>
        ))}
      </div>
    </ScreenSkeleton>
  );
}
