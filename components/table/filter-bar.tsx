"use client";

import { Icon } from "@/components/ui/icons";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { FormEvent, ReactNode } from "react";
import { DateFilter } from "@/components/form/date-field";
import { Button } from "@/components/ui/button";
import { INPUT_CLASS } from "@/components/ui/input-class";
import { cn } from "@/components/ui/cn";
import { hrefWith } from "@/lib/text/page";

type FilterBarProps = {
  path: string;
  params: Record<string, string | undefined>;
  isFiltered: boolean;
  words: { apply: string; clear: string };
  className: string;
  children: ReactNode;
};

/** A plain form, so that it works before its script has come. */
export function FilterBar({ path, params, isFiltered, words, className, children }: FilterBarProps) {
  const router = useRouter();

  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = [...new FormData(event.currentTarget)].flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value.trim()]] : [],
    );
    router.push(hrefWith(path, Object.fromEntries(typed)), { scroll: false });
  };

  return (
    <form action={path} onSubmit={apply} className={className}>
      {Object.entries(params).map(([name, value]) =>
        value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      {children}
      <Button type="submit" size="small">
        {words.apply}
      </Button>
      {isFiltered ? (
        <Link
          href={hrefWith(path, params)}
          prefetch={false}
          scroll={false}
          aria-label={words.clear}
          title={words.clear}
          className="grid size-7 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
        >
          <Icon of="x" size={14} />
        </Link>
      ) : null}
    </form>
  );
}

// A document must never reach an address: what has no letter is stopped.
const NAME_OR_ID = "(?=.*[A-Za-z])[\\w.:\\-]{1,120}";

const CONTROL = cn(INPUT_CLASS, "h-7 px-2 text-sm");

type FilterSearchProps = { value: string | undefined; label: string; hint: string };

export function FilterSearch({ value, label, hint }: FilterSearchProps) {
  return (
    <div className="min-w-48 flex-1 max-sm:basis-full">
      <input
        type="search"
        name="sought"
        defaultValue={value}
        pattern={NAME_OR_ID}
        title={hint}
        placeholder={label}
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        className={CONTROL}
      />
    </div>
  );
}

type FilterChoiceProps = {
  name: string;
  label: string;
  value: string | undefined;
  any: string;
  options: readonly { value: string; label: string }[];
  isWide?: boolean;
};

export function FilterChoice({ name, label, value, any, options, isWide = false }: FilterChoiceProps) {
  return (
    <div className={cn("max-sm:w-full", isWide ? "w-80" : "w-41")}>
      <select
        name={name}
        aria-label={label}
        defaultValue={value ?? ""}
        onChange={(event) => event.currentTarget.form?.requestSubmit()}
        className={CONTROL}
      >
        <option value="">{any}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

type FilterPeriodProps = { from: string | undefined; to: string | undefined; labels: { from: string; to: string } };

export function FilterPeriod({ from, to, labels }: FilterPeriodProps) {
  return (
    <div className="flex flex-wrap items-start gap-2 max-sm:w-full">
      <DateFilter key={`from ${from}`} name="from" label={labels.from} value={from} clock="00:00" />
      <DateFilter key={`to ${to}`} name="to" label={labels.to} value={to} clock="23:59" />
    </div>
  );
}
