"use client";

import { useTranslations } from "next-intl";
import { FilterBar } from "@/components/filter-bar";
import { FilterChoice, FilterPeriod, FilterSearch } from "@/components/filter-fields";
import type { auditChoices, Trail } from "@/lib/audit/queries";
import type { AuditFilter } from "@/lib/audit/rules";
import { useActorName, useCodeName } from "./audit-words";

export type FilterChoices = typeof auditChoices;

type FilterFormProps = { filter: AuditFilter; choices: FilterChoices; people: Trail["people"] };

/** The filter, all of it in the address. */
export function FilterForm({ filter, choices, people }: FilterFormProps) {
  const t = useTranslations("audit");
  const nameOf = useCodeName();
  const actorName = useActorName();
  const isFiltered = Object.values({ ...filter, before: undefined, after: undefined }).some(Boolean);
  const codes = choices.codes
    .map((code) => ({ value: code, label: nameOf(code) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  const known = people.map(({ id, name }) => ({ value: id, label: name }));
  const others = filter.actor === undefined || people.some(({ id }) => id === filter.actor) ? [] : [filter.actor];

  return (
    <FilterBar
      path="/audit"
      kept={{}}
      isFiltered={isFiltered}
      words={{ apply: t("apply"), clear: t("clear") }}
      className="flex flex-wrap items-center gap-2 border-b border-line px-5 py-2"
    >
      <FilterSearch value={filter.sought} label={t("sought")} hint={t("soughtHint")} />
      <FilterChoice name="code" label={t("code")} value={filter.code} any={t("anyCode")} options={codes} isWide />
      <FilterChoice
        name="actor"
        label={t("actor")}
        value={filter.actor}
        any={t("anyActor")}
        options={[...known, ...others.map((actor) => ({ value: actor, label: actorName({ actor, byName: null }) }))]}
      />
      <FilterChoice
        name="outcome"
        label={t("outcome")}
        value={filter.outcome}
        any={t("anyOutcome")}
        options={choices.outcomes.map((outcome) => ({ value: outcome, label: t(`outcomes.${outcome}`) }))}
      />
      <FilterPeriod from={filter.from} to={filter.to} labels={{ from: t("from"), to: t("to") }} />
    </FilterBar>
  );
}
