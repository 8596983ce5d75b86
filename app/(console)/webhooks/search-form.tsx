"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { FilterSearch } from "@/components/filter-fields";
import { Button } from "@/components/ui/button";
import { hrefWith } from "@/lib/href";
import type { ReceivedFilter } from "@/lib/webhooks/rules";

/** Seeks one event, or all of a kind: a plain form, which also works before its script has come. */
export function SearchForm({ filter: { view, sought } }: { filter: ReceivedFilter }) {
  const t = useTranslations("received");
  const router = useRouter();
  const kept = { view: view === "all" ? undefined : view };

  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get("sought");
    const next = typeof typed === "string" ? typed.trim() : "";
    router.push(hrefWith("/webhooks", { ...kept, sought: next || undefined }), { scroll: false });
  };

  return (
    <form action="/webhooks" onSubmit={apply} className="flex items-center gap-2 py-1.5 max-sm:w-full">
      {kept.view === undefined ? null : <input type="hidden" name="view" value={kept.view} />}
      <FilterSearch value={sought} label={t("sought")} hint={t("soughtHint")} />
      <Button type="submit" size="small">
        {t("search")}
      </Button>
      {sought === undefined ? null : (
        <Link
          href={hrefWith("/webhooks", kept)}
          prefetch={false}
          scroll={false}
          aria-label={t("clear")}
          title={t("clear")}
          className="grid size-7 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
        >
          <X aria-hidden size={14} />
        </Link>
      )}
    </form>
  );
}
