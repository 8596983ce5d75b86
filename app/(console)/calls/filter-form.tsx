"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { FormEvent, ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { INPUT_CLASS } from "@/components/ui/field";
import { CALL_KINDS } from "@/lib/call-view";
import type { CallFilter } from "@/lib/calls/rules";
import { cn } from "@/lib/cn";
import { hrefWith } from "@/lib/href";

// A document must never reach an address: what has no letter is stopped before it is sent.
const NAME_OR_ID = "(?=.*[A-Za-z])[\\w.:\\-]{1,120}";

const CONTROL = cn(INPUT_CLASS, "h-7 px-2 text-sm");

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
      <Search value={filter.sought} />
      <Choice name="path" label={t("path")} value={filter.path} any={t("anyPath")}>
        {paths.map((path) => (
          <option key={path} value={path}>
            {path}
          </option>
        ))}
      </Choice>
      <Choice name="kind" label={t("kind")} value={filter.kind} any={t("anyKind")}>
        {CALL_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {t(`kinds.${kind}`)}
          </option>
        ))}
      </Choice>
      {(["from", "to"] as const).map((name) => (
        <label key={name} className="flex items-center gap-1.5 text-sm text-muted">
          {t(name)}
          <span className="w-43">
            <input
              type="datetime-local"
              name={name}
              defaultValue={filter[name]}
              className={cn(CONTROL, "tabular-nums")}
            />
          </span>
        </label>
      ))}
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

function Search({ value }: { value: string | undefined }) {
  const t = useTranslations("calls");
  return (
    <div className="min-w-48 flex-1 max-sm:basis-full">
      <input
        type="search"
        name="sought"
        defaultValue={value}
        pattern={NAME_OR_ID}
        title={t("soughtHint")}
        placeholder={t("sought")}
        aria-label={t("sought")}
        autoComplete="off"
        spellCheck={false}
        className={CONTROL}
      />
    </div>
  );
}

type ChoiceProps = {
  name: string;
  label: string;
  value: string | undefined;
  /** What stands for no choice. */
  any: string;
  children: ReactNode;
};

function Choice({ name, label, value, any, children }: ChoiceProps) {
  return (
    <div className="w-41 max-sm:w-full">
      <select
        name={name}
        aria-label={label}
        defaultValue={value ?? ""}
        onChange={(event) => event.currentTarget.form?.requestSubmit()}
        className={CONTROL}
      >
        <option value="">{any}</option>
        {children}
      </select>
    </div>
  );
}
