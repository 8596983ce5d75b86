"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { useRead } from "@/components/session/use-read";
import { CONTROL, FilterChoice } from "@/components/table/filter-bar";
import type { QueueChoices } from "@/lib/kyc/queries";
import type { KycFilter } from "@/lib/kyc/inputs";
import { KYC_AGES, KYC_DUES, KYC_PROCESSES_SHOWN, KYC_SORTS, KYC_TYPES_SHOWN, orderOf, sortOf } from "@/lib/kyc/view";

export function KnownTags({ id, tags }: { id: string; tags: readonly string[] }) {
  return (
    <datalist id={id}>
      {tags.map((tag) => (
        <option key={tag}>{tag}</option>
      ))}
    </datalist>
  );
}

export function useQueueChoices() {
  const read = useRead();
  return useQuery({
    queryKey: ["kyc-choices"],
    queryFn: ({ signal }) => read<QueueChoices>("/api/kyc/choices", signal),
    staleTime: 60_000,
  });
}

const orderingOf = (filter: KycFilter) => `${sortOf(filter)} ${orderOf(filter)}`;

const optionsOf = <Value extends string>(values: readonly Value[], labelOf: (value: Value) => string) =>
  values.map((value) => ({ value, label: labelOf(value) }));

export function QueueFilters({ filter }: { filter: KycFilter }) {
  const t = useTranslations("kycQueue");
  const kyc = useTranslations("kyc");
  const tags = useId();
  const { assignee, due, process, age } = filter;
  const choices = useQueueChoices();
  const people = (choices.data?.people ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isListed = assignee === undefined || people.some(({ value }) => value === assignee);
  const usual = orderingOf({ ...filter, sort: undefined, order: undefined });
  const ordering = orderingOf(filter);
  const orders = KYC_SORTS.flatMap((one) =>
    (["asc", "desc"] as const).map((way) => ({
      value: `${one} ${way}`,
      label: t(`orders.${way}`, { sort: t(`sorts.${one}`) }),
    })),
  );
  return (
    <>
      <FilterChoice
        name="assignee"
        label={t("assignee")}
        value={assignee}
        any={t("anyAssignee")}
        options={isListed ? people : [...people, { value: assignee, label: "…" }]}
      />
      <FilterChoice
        name="due"
        label={t("dueLabel")}
        value={due}
        any={t("anyDue")}
        options={optionsOf(KYC_DUES, (value) => t(`dues.${value}`))}
      />
      <FilterChoice
        name="type"
        label={kyc("filterType")}
        value={filter.type}
        any={kyc("allTypes")}
        options={optionsOf(KYC_TYPES_SHOWN, (value) => kyc(`type.${value}`))}
      />
      <FilterChoice
        name="process"
        label={t("process")}
        value={process}
        any={t("anyProcess")}
        options={optionsOf(KYC_PROCESSES_SHOWN, (value) => kyc(`process.${value}`))}
      />
      <FilterChoice
        name="age"
        label={t("age")}
        value={age}
        any={t("anyAge")}
        options={optionsOf(KYC_AGES, (value) => t(`ages.${value}`))}
      />
      <div className="w-41 @max-medium:w-[calc(50%-0.25rem)]">
        <input
          key={filter.tags?.join()}
          name="tags"
          list={tags}
          defaultValue={filter.tags?.join(", ")}
          placeholder={t("tags")}
          aria-label={t("tags")}
          title={t("tagsHint")}
          autoComplete="off"
          className={CONTROL}
        />
        <KnownTags id={tags} tags={choices.data?.tags ?? []} />
      </div>
      <FilterChoice
        name="ordering"
        label={t("sort")}
        value={ordering === usual ? undefined : ordering}
        any={orders.find(({ value }) => value === usual)?.label ?? ""}
        options={orders.filter(({ value }) => value !== usual)}
      />
      {choices.isError ? (
        <p role="alert" className="text-sm text-negative">
          {t("choicesFailed")}
        </p>
      ) : null}
    </>
  );
}
