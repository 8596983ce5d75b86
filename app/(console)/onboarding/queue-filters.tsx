"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { FilterChoice } from "@/components/table/filter-bar";
import { AGES, LEAST_RETURNS, ONBOARDING_ORDERS, type QueueFilter, onboardingQueueHref } from "@/lib/onboarding/view";
import { ONBOARDING_KINDS, STEPS } from "@/lib/db/enums/onboarding";

const NEWEST = "begun-desc";

const ORDERS = ONBOARDING_ORDERS.flatMap((order) => [`${order}-desc`, `${order}-asc`] as const);

type Choice = { name: string; label: string; value: string | undefined; any: string };

const optionsOf = <Value extends string>(values: readonly Value[], labelOf: (value: Value) => string) =>
  values.map((value) => ({ value, label: labelOf(value) }));

const choiceOf = (given: Choice, options: { value: string; label: string }[]) => ({ ...given, options });

function useNarrowing({ stage, kind, age, returns, sort, dir }: QueueFilter) {
  const t = useTranslations("onboarding");
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
        ORDERS.filter((value) => value !== NEWEST),
        (value) => t(`orders.${value}`),
      ),
    ),
  ];
}

function hrefOf(form: HTMLFormElement, filter: QueueFilter): string {
  const chosen = new FormData(form);
  const one = <Value extends string>(name: string, among: readonly Value[]) =>
    among.find((value) => value === chosen.get(name));
  const [order, dir] = (one("order", ORDERS) ?? NEWEST).split("-");
  return onboardingQueueHref(filter, {
    stage: one("stage", STEPS),
    kind: one("kind", ONBOARDING_KINDS),
    age: one("age", AGES),
    returns: one("returns", LEAST_RETURNS),
    sort: ONBOARDING_ORDERS.find((known) => known === order) ?? "begun",
    dir: dir === "asc" ? "asc" : "desc",
  });
}

export function QueueFilters({ filter }: { filter: QueueFilter }) {
  const router = useRouter();
  const choices = useNarrowing(filter);
  return (
    <form
      className="mt-2 flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        router.push(hrefOf(event.currentTarget, filter), { scroll: false });
      }}
    >
      {choices.map((choice) => (
        <FilterChoice key={choice.name} {...choice} />
      ))}
    </form>
  );
}
