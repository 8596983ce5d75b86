import { useTranslations } from "next-intl";
import { Skeleton } from "@/components/ui/skeleton";

/** The place of a list screen while it loads: same header, toolbar and row heights. */
export function ListSkeleton({ hasToolbar = true }: { hasToolbar?: boolean }) {
  const t = useTranslations("common");
  return (
    <div aria-busy>
      <p className="sr-only" aria-live="polite">
        {t("loading")}
      </p>
      <div className="flex h-13 items-center px-5">
        <Skeleton className="h-4.5 w-32" />
      </div>
      {hasToolbar ? (
        <div className="flex h-10.25 items-center gap-4 border-b border-line px-5">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-4 w-24" />
        </div>
      ) : null}
      <div className="h-8 border-b border-line" />
      <div aria-hidden className="skeleton-rows" />
    </div>
  );
}
