"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { FilterChoice, FilterPeriod, FilterSearch } from "@/components/filter-fields";
import { Button } from "@/components/ui/button";
import type { auditChoices, Trail } from "@/lib/audit/queries";
import type { AuditFilter } from "@/lib/audit/rules";
import { hrefWith } from "@/lib/href";
import { useActorName, useCodeName } from "./audit-words";

export type FilterChoices = typeof auditChoices;

type FilterFormProps = { filter: AuditFilter; choices: FilterChoices; people: Trail["people"] };

/** The filter, all of it in the address: a plain form, which also works before its script has come. */
export function FilterForm({ filter, choices, people }: FilterFormProps) {
  const t = useTranslations("audit");
  const router = useRouter();
  const nameOf = useCodeName();
  const actorName = useActorName();
  const isFiltered = Object.values({ ...filter, before: undefined, after: undefined }).some(Boolean);
  const codes = choices.codes
    .map((code) => ({ value: code, label: nameOf(code) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  const known = people.map(({ id, name }) => ({ value: id, label: name }));
  const others = filter.actor === undefined || people.some(({ id }) => id === filter.actor) ? [] : [filter.actor];

  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = [...new FormData(event.currentTarget)].flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value.trim()]] : [],
    );
    router.push(hrefWith("/audit", Object.fromEntries(typed)), { scroll: false });
  };

  return (
    <form action="/audit" onSubmit={apply} className="flex flex-wrap items-center gap-2 border-b border-line px-5 py-2">
      <FilterSearch value={filter.sought} label={t("sought")} hint={t("soughtHint")} />
      <FilterChoice name="code" label={t("code")} value={filter.code} any={t("anyCode")} options={codes} />
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
      <Button type="submit" size="small">
        {t("apply")}
      </Button>
      {isFiltered ? (
        <Link
          href="/audit"
          prefetch={false}
          scroll={false}
          aria-label={t("clear")}
          title={t("clear")}
          className="grid size-7 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
        >
          <X aria-hidden size={14} />
        </Link>
      ) : null}
    </form>
  );
}
