"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useId } from "react";
import { keyOf } from "@/components/ui/keys";
import { useRead } from "@/components/session/use-read";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import type { QueueChoices } from "@/lib/kyc/queries";
import type { KycFilter } from "@/lib/kyc/inputs";
import {
  KYC_AGES,
  KYC_DUES,
  KYC_PROCESSES_SHOWN,
  KYC_SORTS,
  KYC_TYPES_SHOWN,
  orderOf,
  caseQueueHref,
  sortOf,
} from "@/lib/kyc/view";

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

const ROOM = "max-w-60 @max-medium:w-[calc(50%-0.25rem)]";
const CONTROL = cn(INPUT_CLASS, "h-7 w-auto max-w-full px-2 text-sm field-sizing-content @max-medium:w-full");

type ChoiceProps = {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChoose: (value: string) => void;
};

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <div className={ROOM}>
      <select aria-label={label} value={value} onChange={(event) => onChoose(event.target.value)} className={CONTROL}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

const oneOf = <Name extends string>(names: readonly Name[], text: string): Name | undefined =>
  names.find((name) => name === text);

type TagsFieldProps = {
  tags: readonly string[];
  known: readonly string[];
  onChoose: (tags: readonly string[]) => void;
};

function TagsField({ tags, known, onChoose }: TagsFieldProps) {
  const t = useTranslations("kycQueue");
  const id = useId();
  const apply = (typed: string) => {
    const wanted = typed
      .split(",")
      .map((tag) => tag.trim().toLowerCase())
      .filter(Boolean);
    if (wanted.join() !== tags.join()) onChoose(wanted);
  };
  return (
    <div className={ROOM}>
      <input
        list={id}
        defaultValue={tags.join(", ")}
        placeholder={t("tags")}
        aria-label={t("tags")}
        title={t("tagsHint")}
        autoComplete="off"
        onKeyDown={(event) => keyOf(event) === "Enter" && apply(event.currentTarget.value)}
        onBlur={(event) => apply(event.currentTarget.value)}
        className={cn(CONTROL, "min-w-24")}
      />
      <KnownTags id={id} tags={known} />
    </div>
  );
}

type OrderChoiceProps = { filter: KycFilter; onChoose: (changes: Pick<KycFilter, "sort" | "order">) => void };

function OrderChoice({ filter, onChoose }: OrderChoiceProps) {
  const t = useTranslations("kycQueue");
  const orders = KYC_SORTS.flatMap((one) =>
    (["asc", "desc"] as const).map(
      (way) => [`${one} ${way}`, t(`orders.${way}`, { sort: t(`sorts.${one}`) })] as const,
    ),
  );
  return (
    <Choice
      label={t("sort")}
      value={`${sortOf(filter)} ${orderOf(filter)}`}
      options={orders}
      onChoose={(chosen) => {
        const [by = "", way] = chosen.split(" ");
        onChoose({ sort: oneOf(KYC_SORTS, by), order: way === "asc" ? "asc" : "desc" });
      }}
    />
  );
}

export function QueueFilters({ filter }: { filter: KycFilter }) {
  const t = useTranslations("kycQueue");
  const kyc = useTranslations("kyc");
  const router = useRouter();
  const choices = useQueueChoices();
  const apply = (changes: Partial<KycFilter>) => router.push(caseQueueHref(filter, changes), { scroll: false });
  const people = choices.data?.people ?? [];
  const isListed = filter.assignee === undefined || people.some((person) => person.id === filter.assignee);

  return (
    <div className="flex flex-wrap items-center gap-2 pt-2">
      <Choice
        label={t("assignee")}
        value={filter.assignee ?? ""}
        options={[
          ["", t("anyAssignee")],
          ...people.map(({ id: person, name }) => [person, name] as const),
          ...(isListed ? [] : [[filter.assignee ?? "", "…"] as const]),
        ]}
        onChoose={(chosen) => apply({ assignee: chosen === "" ? undefined : chosen })}
      />
      <Choice
        label={t("dueLabel")}
        value={filter.due ?? ""}
        options={[["", t("anyDue")], ...KYC_DUES.map((due) => [due, t(`dues.${due}`)] as const)]}
        onChoose={(chosen) => apply({ due: oneOf(KYC_DUES, chosen) })}
      />
      <Choice
        label={kyc("filterType")}
        value={filter.type ?? ""}
        options={[["", kyc("allTypes")], ...KYC_TYPES_SHOWN.map((type) => [type, kyc(`type.${type}`)] as const)]}
        onChoose={(chosen) => apply({ type: oneOf(KYC_TYPES_SHOWN, chosen) })}
      />
      <Choice
        label={t("process")}
        value={filter.process ?? ""}
        options={[["", t("anyProcess")], ...KYC_PROCESSES_SHOWN.map((step) => [step, kyc(`process.${step}`)] as const)]}
        onChoose={(chosen) => apply({ process: oneOf(KYC_PROCESSES_SHOWN, chosen) })}
      />
      <Choice
        label={t("age")}
        value={filter.age ?? ""}
        options={[["", t("anyAge")], ...KYC_AGES.map((age) => [age, t(`ages.${age}`)] as const)]}
        onChoose={(chosen) => apply({ age: oneOf(KYC_AGES, chosen) })}
      />
      <TagsField
        key={filter.tags?.join()}
        tags={filter.tags ?? []}
        known={choices.data?.tags ?? []}
        onChoose={(tags) => apply({ tags: tags.length === 0 ? undefined : [...tags] })}
      />
      <OrderChoice filter={filter} onChoose={apply} />
      {choices.isError ? (
        <p role="alert" className="text-sm text-negative">
          {t("choicesFailed")}
        </p>
      ) : null}
    </div>
  );
}
