"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { SeekBox } from "@/components/seek-box";
import type { KycFilter } from "@/lib/kyc/rules";
import { addressable } from "@/lib/kyc-search";
import { queueHref } from "@/lib/kyc-view";

const SEARCHABLE = /^(?=.*[\p{L}\p{N}])[\p{L}\p{N} *._:/-]{2,120}$/u;

/** By id, document or tag; a document is masked before it gets into an address. */
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
    if (sought !== "" && !SEARCHABLE.test(sought)) return setRefused(true);
    setTyped(sought);
    if (sought === (filter.sought ?? "")) return;
    router.push(queueHref(filter, { sought: sought === "" ? undefined : sought }), { scroll: false });
  };
  return (
    <SeekBox
      label={t("search")}
      typed={typed}
      problemId={isRefused ? id : null}
      maxLength={120}
      className="min-w-40"
      onType={(text) => {
        setTyped(text);
        setRefused(false);
      }}
      onSeek={seek}
    >
      {isRefused ? (
        <p
          id={id}
          role="alert"
          className="absolute top-full left-0 z-20 mt-1 rounded bg-raised px-2 py-1 text-sm text-negative shadow-float"
        >
          {t("searchRefused")}
        </p>
      ) : null}
    </SeekBox>
  );
}
