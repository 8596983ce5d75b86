import { ScreenSkeleton } from "@/components/layout/screen-skeleton";
import { Skeleton } from "@/components/ui/skeleton";

export default function LoadingReceipt() {
  return (
    <ScreenSkeleton titleWidth="w-56">
      <div className="mx-auto my-6 w-full max-w-xl px-5">
        <Skeleton className="h-112 w-full" />
      </div>
    </ScreenSkeleton>
  );
}
