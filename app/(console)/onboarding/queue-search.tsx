"use client";

import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useId, useState } from "react";
import { INPUT_CLASS } from "@/components/ui/field";
import { useAction } from "@/components/use-action";
import { cn } from "@/lib/cn";
import { hrefWith } from "@/lib/href";
import { findOnboarding } from "@/lib/onboarding/actions";

/**
 * Finds a holder's onboardings by document or id. No form and no name: were its script not there yet, nothing typed would get
 * into an address; and when it is, only an id of ours does.
 */
export function QueueSearch() {
  const t = useTranslations("onboarding");
  const router = useRouter();
  const id = useId();
  const { pending, failure, run } = useAction(findOnboarding);
  const [typed, setTyped] = useState("");
  const [told, setTold] = useState<string | null>(null);
  const problem = told ?? failure?.fields?.["query"] ?? failure?.message ?? null;

  const seek = () => {
    setTold(null);
    if (typed.trim() === "") return setTold(t("searchEmpty"));
    run({ query: typed }, ({ id: found, people }) => {
      if (found !== null) router.push(hrefWith("/onboarding", { status: "all", person: found }), { scroll: false });
      else setTold(people === 0 ? t("searchNobody") : t("searchSeveral", { count: people }));
    });
  };
  const seekOnEnter = (event: KeyboardEvent) => {
    if (event.key === "Enter") seek();
  };

  return (
    <search className="relative min-w-56 flex-1 max-desk:basis-full">
      <Search aria-hidden size={14} className="absolute top-1.75 left-2 text-faint" />
      <input
        type="search"
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setTold(null);
        }}
        onKeyDown={seekOnEnter}
        placeholder={t("search")}
        title={t("searchHint")}
        aria-label={t("search")}
        aria-busy={pending}
        aria-invalid={problem === null ? undefined : true}
        aria-describedby={problem === null ? undefined : id}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        className={cn(INPUT_CLASS, "h-7 pl-7 text-sm")}
      />
      <p
        id={id}
        aria-live="polite"
        className={cn(
          "absolute top-full left-0 z-20 mt-1 max-w-sm rounded bg-raised px-2 py-1 text-sm text-negative shadow-float",
          problem === null && "sr-only",
        )}
      >
        {problem}
      </p>
    </search>
  );
}
