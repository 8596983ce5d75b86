import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/components/ui/cn";

function ScreenSkeleton({ titleWidth, children }: { titleWidth: string; children: ReactNode }) {
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

export default function LoadingReceipt() {
  return (
    <ScreenSkeleton titleWidth="w-56">
      <div className="mx-auto my-6 w-full max-w-xl px-5">
        <Skeleton className="h-112 w-full" />
      </div>
    </ScreenSkeleton>
  );
}
