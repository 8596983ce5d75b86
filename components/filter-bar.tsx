"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { FormEvent, ReactNode } from "react";
import { hrefWith } from "@/lib/href";
import { Button } from "./ui/button";

type FilterBarProps = {
  /** The list's address; all of the filter stands in it. */
  path: string;
  /** Of the filter: what is chosen elsewhere, and outlasts what is typed here. */
  kept: Record<string, string | undefined>;
  isFiltered: boolean;
  words: { apply: string; clear: string };
  className: string;
  /** The fields. */
  children: ReactNode;
};

/** A list's filter: a plain form, which also works before its script has come. */
export function FilterBar({ path, kept, isFiltered, words, className, children }: FilterBarProps) {
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
      {Object.entries(kept).map(([name, value]) =>
        value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      {children}
      <Button type="submit" size="small">
        {words.apply}
      </Button>
      {isFiltered ? (
        <Link
          href={hrefWith(path, kept)}
          prefetch={false}
          scroll={false}
          aria-label={words.clear}
          title={words.clear}
          className="grid size-7 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
        >
          <X aria-hidden size={14} />
        </Link>
      ) : null}
    </form>
  );
}
