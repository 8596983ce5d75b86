import { ScreenSkeleton } from "@/components/screen-skeleton";
import { Skeleton } from "@/components/ui/skeleton";

const LINES = ["6rem", "9rem", "7rem", "8rem", "15rem", "8rem", "7rem"];

/** The place of one record while it loads: same header and line heights. */
export function RecordSkeleton() {
  return (
    <ScreenSkeleton titleWidth="w-56">
      <div className="border-y border-line pt-11">
        {LINES.map((width, line) => (
          <div key={`${line} ${width}`} className="flex h-9.5 items-center gap-20 border-t border-line px-5">
            <Skeleton className="h-3.5 w-20" />
            <span style={{ width }}>
              <Skeleton className="h-3.5" />
            </span>
          </div>
        ))}
      </div>
    </ScreenSkeleton>
  );
}
