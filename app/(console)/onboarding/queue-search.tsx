"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { SeekBox } from "@/components/seek-box";
import { useAction } from "@/components/use-action";
import { cn } from "@/lib/cn";
import { hrefWith } from "@/lib/href";
import { findOnboarding } from "@/lib/onboarding/actions";

/** Finds a holder's onboardings by document or id; only an id of ours gets into an address. */
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
  return (
    <SeekBox
      label={t("search")}
      title={t("searchHint")}
      typed={typed}
      problemId={problem === null ? null : id}
      aria-busy={pending}
      maxLength={200}
      className="min-w-56"
      onType={(text) => {
        setTyped(text);
        setTold(null);
      }}
      onSeek={seek}
    >
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
    </SeekBox>
  );
}
