"use client";

import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import { cn } from "@/components/ui/cn";
import { formatTime } from "@/lib/text/format";
import type { Fresh } from "@/lib/text/page";

type ReadState = Pick<Fresh, "asOf" | "isOldest"> & { wasTried?: boolean };

type FreshnessProps = ReadState & {
  isRefreshing: boolean;
  refresh: () => void;
  isSilent?: boolean;
};

/** Partially read data is not called unread. */
type ReadAtProps = ReadState & {
  /** Of lists alone, where figures of our own stand beside them that are newer. */
  isOfLists?: boolean;
};

export function ReadAt({ asOf, wasTried = false, isOldest = false, isOfLists = false }: ReadAtProps) {
  const t = useTranslations("common");
  const locale = useLocale();
  const never = t(wasTried ? "neverWhole" : "neverUpdated");
  const name = isOfLists ? "listsAt" : isOldest ? "readSince" : "updatedAt";
  const said = asOf === null ? never : t(name, { time: formatTime(asOf, locale) });
  return <span key={said}>{said}</span>;
}

export function Freshness({ isRefreshing, refresh, isSilent = false, ...reading }: FreshnessProps) {
  const t = useTranslations("common");
  return (
    <div className="flex shrink-0 items-center gap-1 text-sm text-muted tabular-nums">
      {isSilent ? null : (
        <span className="hidden wide:inline">
          <ReadAt {...reading} />
        </span>
      )}
      <button
        type="button"
        aria-label={t("refresh")}
        aria-busy={isRefreshing}
        onClick={refresh}
        className="grid size-7 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
      >
        <Icon of="rotate-cw" size={14} className={cn(isRefreshing && "animate-spin")} />
      </button>
    </div>
  );
}
