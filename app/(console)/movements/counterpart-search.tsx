"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { useAction } from "@/components/session/use-action";
import { SeekBox, SeekNote } from "@/components/table/seek-box";
import { findCounterpart } from "@/lib/movements/actions";
import { QUERY_MAX } from "@/lib/text/page";

/** Who is looked for is posted: the address names a keyed hash. */
export function CounterpartSearch({ hrefOf }: { hrefOf: (counterpart: string) => string }) {
  const t = useTranslations("movements");
  const router = useRouter();
  const id = useId();
  const { pending, failure, run } = useAction(findCounterpart);
  const [typed, setTyped] = useState("");
  const problem = failure?.message ?? null;
  const seek = () => {
    const query = typed.trim();
    if (query === "") return;
    run({ query }, ({ counterpart }) => {
      setTyped("");
      router.push(hrefOf(counterpart), { scroll: false });
    });
  };
  return (
    <SeekBox
      label={t("counterpartSearch")}
      title={t("counterpartHint")}
      typed={typed}
      problemId={problem === null ? null : id}
      aria-busy={pending}
      maxLength={QUERY_MAX}
      onType={setTyped}
      onSeek={seek}
      onLeave={() => undefined}
    >
      <SeekNote id={id} isShown={problem !== null}>
        {problem === null ? null : <p>{problem}</p>}
      </SeekNote>
    </SeekBox>
  );
}
