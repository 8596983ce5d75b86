import { Skeleton } from "@/components/ui/skeleton";

export default function LoadingOverview() {
  return (
    <div aria-busy>
      <div className="flex h-13 items-center px-5">
        <Skeleton className="h-4.5 w-32" />
      </div>
      <div className="h-32 border-y border-line" />
    </div>
  );
}
