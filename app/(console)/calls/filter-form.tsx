"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { FilterChoice, FilterPeriod, FilterSearch } from "@/components/filter-fields";
import { Button } from "@/components/ui/button";
import { CALL_KINDS } from "@/lib/call-view";
import type { CallFilter } from "@/lib/calls/rules";
import { hrefWith } from "@/lib/href";

type FilterFormProps = { filter: CallFilter; paths: readonly string[] };

/** The rest of the filter, all in the address: a plain form, which also works before its script has come. */
export function FilterForm({ filter, paths }: FilterFormProps) {
  const t = useTranslations("calls");
  const router = useRouter();
  const { view, lane, actor } = filter;
  const kept = { view: view === "all" ? undefined : view, lane, actor };
  const isFiltered = [filter.sought, filter.path, filter.kind, filter.from, filter.to].some(Boolean);

  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = [...new FormData(event.currentTarget)].flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value.trim()]] : [],
    );
    router.push(hrefWith("/calls", Object.fromEntries(typed)), { scroll: false });
  };

  return (
    <form action="/calls" onSubmit={apply} className="flex flex-wrap items-center gap-2 border-b border-line px-5 py-2">
      {Object.entries(kept).map(([name, value]) =>
        value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
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
      <Button type="submit" size="small">
        {t("apply")}
      </Button>
      {isFiltered ? (
        <Link
          href={hrefWith("/calls", kept)}
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
