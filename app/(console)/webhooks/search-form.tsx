"use client";

import { useTranslations } from "next-intl";
import { FilterBar } from "@/components/filter-bar";
import { FilterSearch } from "@/components/filter-fields";
import type { ReceivedFilter } from "@/lib/webhooks/rules";

/** Seeks one event, or all of a kind. */
export function SearchForm({ filter: { view, sought } }: { filter: ReceivedFilter }) {
  const t = useTranslations("received");
  return (
    <FilterBar
      path="/webhooks"
      kept={{ view: view === "all" ? undefined : view }}
      isFiltered={sought !== undefined}
      words={{ apply: t("search"), clear: t("clear") }}
      className="flex items-center gap-2 py-1.5 max-sm:order-1 max-sm:w-full"
    >
      <FilterSearch value={sought} label={t("sought")} hint={t("soughtHint")} />
    </FilterBar>
  );
}
