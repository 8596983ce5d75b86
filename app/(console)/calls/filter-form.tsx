"use client";

import { useTranslations } from "next-intl";
import { FilterBar } from "@/components/filter-bar";
import { FilterChoice, FilterPeriod, FilterSearch } from "@/components/filter-fields";
import { CALL_KINDS } from "@/lib/call-view";
import type { CallFilter } from "@/lib/calls/rules";

type FilterFormProps = { filter: CallFilter; paths: readonly string[] };

/** The rest of the filter, all in the address. */
export function FilterForm({ filter, paths }: FilterFormProps) {
  const t = useTranslations("calls");
  const { view, lane, actor } = filter;
  const kept = { view: view === "all" ? undefined : view, lane, actor };
  const isFiltered = [filter.sought, filter.path, filter.kind, filter.from, filter.to].some(Boolean);

  return (
    <FilterBar
      path="/calls"
      kept={kept}
      isFiltered={isFiltered}
      words={{ apply: t("apply"), clear: t("clear") }}
      className="flex flex-wrap items-center gap-2 border-b border-line px-5 py-2"
    >
      <FilterSearch value={filter.sought} label={t("sought")} hint={t("soughtHint")} />
      <FilterChoice
        name="path"
        label={t("path")}
        value={filter.path}
        any={t("anyPath")}
        options={paths.map((path) => ({ value: path, label: path }))}
      />
      <FilterChoice
        name="kind"
        label={t("kind")}
        value={filter.kind}
        any={t("anyKind")}
        options={CALL_KINDS.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
      />
      <FilterPeriod from={filter.from} to={filter.to} labels={{ from: t("from"), to: t("to") }} />
    </FilterBar>
  );
}
