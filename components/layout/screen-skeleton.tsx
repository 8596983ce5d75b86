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
