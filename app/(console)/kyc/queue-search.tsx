"use client";

import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useId, useState } from "react";
import { INPUT_CLASS } from "@/components/ui/field";
import { cn } from "@/lib/cn";
import type { KycFilter } from "@/lib/kyc/rules";
import { addressable } from "@/lib/kyc-search";
import { queueHref } from "@/lib/kyc-view";

const SEARCHABLE = /^(?=.*[\p{L}\p{N}])[\p{L}\p{N} *._:/-]{2,120}$/u;

/**
 * By id, document or tag. No form and no name: were its script not there yet, nothing typed would get into an address; and a
 * document is masked before it does.
 */
export function QueueSearch({ filter }: { filter: KycFilter }) {
  const t = useTranslations("kycQueue");
  const router = useRouter();
  const id = useId();
  const [typed, setTyped] = useState(filter.sought ?? "");
  const [isRefused, setRefused] = useState(false);
  const [shown, setShown] = useState(filter.sought);
  if (shown !== filter.sought) {
    setShown(filter.sought);
    setTyped(filter.sought ?? "");
  }

  const seek = () => {
    const sought = addressable(typed);
    if (sought === (filter.sought ?? "")) return;
    if (sought !== "" && !SEARCHABLE.test(sought)) return setRefused(true);
    setTyped(sought);
    router.push(queueHref(filter, { sought: sought === "" ? undefined : sought }), { scroll: false });
  };
  const seekOnEnter = (event: KeyboardEvent) => {
    if (event.key === "Enter") seek();
  };

  return (
    <search className="relative min-w-40 flex-1 max-desk:basis-full">
      <Search aria-hidden size={14} className="absolute top-1.75 left-2 text-faint" />
      <input
        type="search"
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setRefused(false);
        }}
        onKeyDown={seekOnEnter}
        placeholder={t("search")}
        aria-label={t("search")}
        aria-invalid={isRefused || undefined}
        aria-describedby={isRefused ? id : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={120}
        className={cn(INPUT_CLASS, "h-7 pl-7 text-sm")}
      />
      {isRefused ? (
        <p
          id={id}
          role="alert"
          className="absolute top-full left-0 z-20 mt-1 rounded bg-raised px-2 py-1 text-sm text-negative shadow-float"
        >
          {t("searchRefused")}
        </p>
      ) : null}
    </search>
  );
}
