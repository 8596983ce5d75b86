"use client";

import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { useSeek } from "@/components/session/use-seek";
import { SeekBox, SeekNote } from "@/components/table/seek-box";
import type { Action } from "@/lib/action";
import type { MovementFilter } from "@/lib/movements/inputs";
import { QUERY_MAX } from "@/lib/text/page";

type SeekFilterProps<Found> = {
  label: string;
  hint: string;
  find: Action<{ query: string }, Found>;
  hrefOf: (found: Found) => string;
};

/** What is typed is posted: the address names what was found. */
export function SeekFilter<Found extends Partial<MovementFilter> & { restored?: string }>(
  props: SeekFilterProps<Found>,
) {
  const { label, hint, find, hrefOf } = props;
  const router = useRouter();
  const id = useId();
  const [typed, setTyped] = useState("");
  const { pending, failure, seek: ask } = useSeek(find, typed);
  const [restored, setRestored] = useState<{ document: string; href: string } | null>(null);
  const problem = failure?.fields?.["query"] ?? failure?.message ?? null;
  const seek = () => {
    const query = typed.trim();
    if (query === "") return;
    ask({ query }, (found) => {
      const href = hrefOf(found);
      if (found.restored !== undefined) return setRestored({ document: found.restored, href });
      setTyped("");
      router.push(href, { scroll: false });
    });
  };
  return (
    <SeekBox
      label={label}
      title={hint}
      typed={typed}
      problemId={problem === null ? null : id}
      aria-busy={pending}
      maxLength={QUERY_MAX}
      onType={(text) => {
        setTyped(text);
        setRestored(null);
      }}
      onSeek={seek}
      onLeave={() => undefined}
    >
      <SeekNote id={id} isShown={problem !== null} restored={restored}>
        {problem === null ? null : <p>{problem}</p>}
      </SeekNote>
    </SeekBox>
  );
}
