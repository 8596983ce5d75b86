"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { useSeek } from "@/components/session/use-seek";
import { SeekBox, SeekNote } from "@/components/table/seek-box";
import { findTransferPayee } from "@/lib/transfers/actions";
import { SEARCH_MAX } from "@/lib/text/page";
import type { PayeeTrait } from "@/lib/transfers/view";

type PayeeSearchProps = {
  hrefOf: (payee: { payeeOf: string; payeeBy: PayeeTrait }) => string;
  /** Reports whether the search found nobody. */
  onNobody: (isNobody: boolean) => void;
};

/** The payee is posted; the URL names a transfer to them. */
export function PayeeSearch({ hrefOf, onNobody }: PayeeSearchProps) {
  const t = useTranslations("transfers.payee");
  const router = useRouter();
  const id = useId();
  const [typed, setTyped] = useState("");
  const { pending, failure, seek: ask } = useSeek(findTransferPayee, typed);
  const [note, setNote] = useState<string | null>(null);
  const [restored, setRestored] = useState<string | null>(null);
  const problem = note ?? failure?.message ?? null;
  const seek = () => {
    const query = typed.trim();
    if (query === "") return;
    ask({ query }, (found) => {
      const { by, intentId } = found;
      const isListed = by === "document" || by === "name";
      if (!isListed || intentId === null) {
        const document = by === "document" ? found.restored : undefined;
        setNote(document === undefined ? t(`none.${by}`) : t("none.restored", { document }));
        return onNobody(isListed);
      }
      setTyped("");
      setRestored(found.restored ?? null);
      router.push(hrefOf({ payeeOf: intentId, payeeBy: by }), { scroll: false });
    });
  };
  return (
    <SeekBox
      label={t("search")}
      title={t("searchHint")}
      typed={typed}
      problemId={problem === null ? null : id}
      aria-busy={pending}
      maxLength={SEARCH_MAX}
      onType={(text) => {
        setTyped(text);
        setNote(null);
        setRestored(null);
        onNobody(false);
      }}
      onSeek={seek}
      onLeave={() => {
        setNote(null);
        setRestored(null);
      }}
    >
      <SeekNote
        id={id}
        isShown={problem !== null}
        restored={restored === null || typed !== "" ? null : { document: restored }}
      >
        {problem === null ? null : <p>{problem}</p>}
      </SeekNote>
    </SeekBox>
  );
}
