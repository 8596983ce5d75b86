"use client";

import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent, useState } from "react";
import { useSearch } from "@/components/layout/open-search";
import { Checked } from "./filter-text";
import { useAddressText } from "./use-address-text";

// A document must never appear in a URL: text without a letter is refused.
const NAME_OR_ID = "(?=.*[A-Za-z])[\\w.:\\-]{1,120}";

type FilterSearchProps = { value: string | undefined; label: string; hint: string; pattern?: string };

export function FilterSearch({ value, label, hint, pattern = NAME_OR_ID }: FilterSearchProps) {
  const t = useTranslations("common");
  const states = useTranslations("states");
  const asked = useSearchParams().get("search")?.trim() ?? "";
  const isDropped = value === undefined && asked !== "";
  const [typed, setTyped] = useState("");
  const [stopped, setStopped] = useState<string | null>(null);
  const openSearch = useSearch();
  const { load, isUnread, isLost, isRefused, isDocumentIn } = useAddressText();
  const loadDropped = useEffectEvent(load);
  useEffect(() => {
    if (isDropped) loadDropped();
  }, [isDropped]);
  const refusal = isRefused(typed) ? t("documentNotSearched") : undefined;
  const document = [stopped, isDropped ? asked : null].find((text) => text !== null && isDocumentIn(text));
  return (
    <div className="min-w-28 flex-1">
      <Checked
        key={isDropped ? asked : ""}
        type="search"
        name="search"
        defaultValue={isDropped ? asked : value}
        pattern={pattern}
        title={hint}
        label={label}
        problem={isLost(typed) ? states("partOffline") : refusal}
        isUnread={isUnread(typed)}
        misfit={document ? t("documentNotSearched") : t("notSearched", { hint })}
        wasTried={isDropped}
        onFocus={load}
        onChange={({ target }) => {
          load();
          setTyped(target.value);
        }}
        onStopped={setStopped}
      />
      {document ? (
        <button type="button" onClick={() => openSearch(document)} className="min-h-6 text-sm text-accent underline">
          {t("searchDocument")}
        </button>
      ) : null}
    </div>
  );
}
