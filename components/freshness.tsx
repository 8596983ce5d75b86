"use client";

import { RotateCw } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { cn } from "@/lib/cn";
import { formatTime } from "@/lib/format";

type FreshnessProps = {
  asOf: string | null;
  isRefreshing: boolean;
  refresh: () => void;
  /** The time stands elsewhere already. */
  isSilent?: boolean;
};

/** When the provider last answered for these rows, and a way to ask now. */
export function Freshness({ asOf, isRefreshing, refresh, isSilent = false }: FreshnessProps) {
  const t = useTranslations("common");
  const locale = useLocale();
  return (
    <div className="flex shrink-0 items-center gap-1 text-sm text-muted tabular-nums">
      {isSilent ? null : (
        <span className="hidden desk:inline">
          {asOf ? t("updatedAt", { time: formatTime(asOf, locale) }) : t("neverUpdated")}
        </span>
      )}
      <button
        type="button"
        aria-label={t("refresh")}
        aria-busy={isRefreshing}
        onClick={refresh}
        className="grid size-7 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
      >
        <RotateCw aria-hidden size={14} className={cn(isRefreshing && "animate-spin")} />
      </button>
    </div>
  );
}
