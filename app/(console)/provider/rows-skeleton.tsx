import { useTranslations } from "next-intl";
import { Skeleton } from "@/components/ui/skeleton";

const WIDTHS = ["w-1/3", "w-1/2", "w-2/5", "w-1/3"];

export function RowsSkeleton() {
  const t = useTranslations("common");
  return (
    <div aria-busy>
      <p className="sr-only" aria-live="polite">
        {t("loading")}
      </p>
      <div className="h-8 border-b border-line" />
      {WIDTHS.map((width, nth) => (
        <div key={nth} className="flex h-12 items-center gap-6 border-b border-line px-5">
          <Skeleton className={`h-3.5 ${width}`} />
          <Skeleton className="h-3.5 w-24" />
        </div>
      ))}
    </div>
  );
}
