import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/components/ui/cn";

export function ScreenSkeleton({ titleWidth, children }: { titleWidth: string; children: ReactNode }) {
  const t = useTranslations("common");
  return (
    <div aria-busy>
      <p className="sr-only" aria-live="polite">
        {t("loading")}
      </p>
      <div className="flex h-13 items-center px-5">
        <Skeleton className={cn("h-4.5", titleWidth)} />
      </div>
      {children}
    </div>
  );
}

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

const LINES = ["w-24", "w-36", "w-28", "w-32", "w-60", "w-32", "w-28"];

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
