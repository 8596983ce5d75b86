"use client";

import { X } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { FilterChoice } from "@/components/filter-fields";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { formatCount } from "@/lib/format";
import { hrefWith } from "@/lib/href";
import type { OnboardingQueue } from "@/lib/onboarding/queries";
import {
  ACTORS,
  addressedFilter,
  AGES,
  LEAST_RETURNS,
  ONBOARDING_KINDS,
  ONBOARDING_ORDERS,
  type QueueFilter,
  STEPS,
} from "@/lib/onboarding-view";
import { QueueSearch } from "./queue-search";

const hrefOf = (filter: QueueFilter) => hrefWith("/onboarding", addressedFilter({ ...filter, page: 1 }));

type QueueFiltersProps = { filter: QueueFilter; acts: OnboardingQueue["acts"]; person: string | null };

/** Who must act now, before everything else; then what narrows the list down, and its order. */
export function QueueFilters({ filter, acts, person }: QueueFiltersProps) {
  const t = useTranslations("onboarding");
  const locale = useLocale();
  const shown = ACTORS.filter((who) => who !== "nobody" || acts.nobody > 0 || filter.acts === "nobody");
  const choices = [
    { href: hrefOf({ ...filter, acts: undefined }), label: t("everyone"), isCurrent: filter.acts === undefined },
    ...shown.map((who) => ({
      href: hrefOf({ ...filter, acts: who }),
      label: t(`acts.${who}`),
      count: formatCount(acts[who], locale),
      isCurrent: filter.acts === who,
    })),
  ];
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-5 py-2">
      <ChoiceLinks label={t("filterActs")} choices={choices} />
      <QueueSearch />
      <Narrowing filter={filter} />
      {person === null || person === "" ? null : (
        <Link
          href={hrefOf({ ...filter, person: undefined })}
          prefetch={false}
          scroll={false}
          title={t("personClear")}
          className="inline-flex h-7 items-center gap-1.5 rounded bg-accent-tint px-2 text-sm font-medium text-accent"
        >
          {t("personFilter", { document: person })}
          <X aria-hidden size={13} />
          <span className="sr-only">{t("personClear")}</span>
        </Link>
      )}
    </div>
  );
}

const NEWEST = "begun-desc";

type Choice = { name: string; label: string; value: string | undefined; any: string };

const optionsOf = <Value extends string>(values: readonly Value[], labelOf: (value: Value) => string) =>
  values.map((value) => ({ value, label: labelOf(value) }));

const choiceOf = (given: Choice, options: { value: string; label: string }[]) => ({ ...given, options });

/** What can be chosen beside who must act; each stands under its name in the form. */
function useNarrowing({ stage, kind, age, returns, sort, dir }: QueueFilter) {
  const t = useTranslations("onboarding");
  const orders = ONBOARDING_ORDERS.flatMap((order) => [`${order}-desc`, `${order}-asc`] as const);
  const order = `${sort}-${dir}` as const;
  return [
    choiceOf(
      { name: "stage", label: t("stageLabel"), value: stage, any: t("anyStage") },
      optionsOf(STEPS, (value) => t(`stage.${value}`)),
    ),
    choiceOf(
      { name: "kind", label: t("kindLabel"), value: kind, any: t("anyKind") },
      optionsOf(ONBOARDING_KINDS, (value) => t(`kind.${value}`)),
    ),
    choiceOf(
      { name: "age", label: t("ageLabel"), value: age, any: t("anyAge") },
      optionsOf(AGES, (value) => t(`ages.${value}`)),
    ),
    choiceOf(
      { name: "returns", label: t("returnsLabel"), value: returns, any: t("anyReturns") },
      optionsOf(LEAST_RETURNS, (value) => t("returnsAtLeast", { count: Number(value) })),
    ),
    choiceOf(
      {
        name: "order",
        label: t("orderLabel"),
        value: order === NEWEST ? undefined : order,
        any: t(`orders.${NEWEST}`),
      },
      optionsOf(
        orders.filter((value) => value !== NEWEST),
        (value) => t(`orders.${value}`),
      ),
    ),
  ];
}

/** What the form says, as the address is to hold it. */
function addressed(form: HTMLFormElement, filter: QueueFilter): string {
  const chosen = new FormData(form);
  const valueOf = (name: string) => {
    const value = chosen.get(name);
    return typeof value === "string" ? value : "";
  };
  const [sort = "", dir = ""] = valueOf("order") === "" ? [] : valueOf("order").split("-");
  const { status, acts, person } = addressedFilter(filter);
  const narrowing = Object.fromEntries(["stage", "kind", "age", "returns"].map((name) => [name, valueOf(name)]));
  const order = { sort: sort === "begun" ? "" : sort, dir: dir === "desc" ? "" : dir };
  return hrefWith("/onboarding", { status, acts, person, ...narrowing, ...order });
}

/** Each applied as soon as it is chosen; the address holds them all. */
function Narrowing({ filter }: { filter: QueueFilter }) {
  const t = useTranslations("onboarding");
  const router = useRouter();
  const choices = useNarrowing(filter);
  const { stage, kind, age, returns, acts, person } = filter;
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        router.push(addressed(event.currentTarget, filter), { scroll: false });
      }}
    >
      {choices.map((choice) => (
        <FilterChoice key={choice.name} {...choice} />
      ))}
      {[stage, kind, age, returns, acts].some(Boolean) ? (
        <Link
          href={hrefWith("/onboarding", { status: addressedFilter(filter).status, person })}
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
