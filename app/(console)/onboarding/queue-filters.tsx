import { useTranslations } from "next-intl";
import { FilterChoice } from "@/components/table/filter-bar";
import { AGES, LEAST_RETURNS, ONBOARDING_ORDERS, type QueueFilter } from "@/lib/onboarding/view";
import { ONBOARDING_KINDS, STEPS } from "@/lib/db/enums/onboarding";

const NEWEST = "begun-desc";

const ORDERS = ONBOARDING_ORDERS.flatMap((order) => [`${order}-desc`, `${order}-asc`] as const);

type Typed = Record<string, string | undefined>;

/** An order is one choice of the form and two values of the address. */
export function addressedOrder({ ordering = "", ...typed }: Typed): Typed {
  const [sort, dir] = ordering.split("-");
  return { ...typed, sort, dir };
}

const optionsOf = <Value extends string>(values: readonly Value[], labelOf: (value: Value) => string) =>
  values.map((value) => ({ value, label: labelOf(value) }));

export function QueueFilters({ filter: { stage, kind, age, returns, sort, dir } }: { filter: QueueFilter }) {
  const t = useTranslations("onboarding");
  const order = `${sort}-${dir}` as const;
  return (
    <>
      <FilterChoice
        name="stage"
        label={t("stageLabel")}
        value={stage}
        any={t("anyStage")}
        options={optionsOf(STEPS, (value) => t(`stage.${value}`))}
      />
      <FilterChoice
        name="kind"
        label={t("kindLabel")}
        value={kind}
        any={t("anyKind")}
        options={optionsOf(ONBOARDING_KINDS, (value) => t(`kind.${value}`))}
      />
      <FilterChoice
        name="age"
        label={t("ageLabel")}
        value={age}
        any={t("anyAge")}
        options={optionsOf(AGES, (value) => t(`ages.${value}`))}
      />
      <FilterChoice
        name="returns"
        label={t("returnsLabel")}
        value={returns}
        any={t("anyReturns")}
        options={optionsOf(LEAST_RETURNS, (value) => t("returnsAtLeast", { count: Number(value) }))}
      />
      <FilterChoice
        name="ordering"
        label={t("orderLabel")}
        value={order === NEWEST ? undefined : order}
        any={t(`orders.${NEWEST}`)}
        options={optionsOf(
          ORDERS.filter((value) => value !== NEWEST),
          (value) => t(`orders.${value}`),
        )}
      />
    </>
  );
}
