"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { useAction } from "@/components/session/use-action";
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
  const { pending, failure, run } = useAction(findTransferPayee);
  const [typed, setTyped] = useState("");
  const [note, setNote] = useState<string | null>(null);
  const [restored, setRestored] = useState<string | null>(null);
  const problem = note ?? failure?.message ?? null;
  const seek = () => {
    const query = typed.trim();
    if (query === "") return;
    run({ query }, (found) => {
      const { by, intentId } = found;
      const isListed = by === "document" || by === "name";
      if (!isListed || intentId === null) {
        setNote(t(`none.${by}`));
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
      <SeekNote id={id} isShown={problem !== null} restored={restored}>
        {problem === null ? null : <p>{problem}</p>}
      </SeekNote>
    </SeekBox>
  );
}
