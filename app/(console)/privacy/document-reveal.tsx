"use client";

import { Eye, EyeOff } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useCallback, useState } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import type { Revealed, RevealTarget } from "@/lib/customer";
import { RevealedDocument } from "./revealed-document";

const loadDialog = () => import("./reveal-dialog");
const RevealDialog = dynamic(() => loadDialog().then((loaded) => loaded.RevealDialog), { ssr: false });

type DocumentRevealProps = {
  masked: string;
  kind: RevealTarget["kind"];
  id: string;
  /** Of a case that was started here: what of it, and of which partner. */
  field?: RevealTarget["field"];
  member?: number | null;
  /** Why this person may not. */
  denial: string | null;
};

/**
 * A document or a name, masked until somebody says why they need it, and for a minute then. What is shown lives in this component
 * alone: in no cache, no address and no title.
 */
export function DocumentReveal({ masked, denial, kind, id, field = "document", member = null }: DocumentRevealProps) {
  const t = useTranslations("privacy");
  const [isAsking, setAsking] = useState(false);
  const [shown, setShown] = useState<Revealed | null>(null);
  const hide = useCallback(() => setShown(null), []);

  if (denial !== null) {
    return (
      <>
        <span className="font-medium text-ink">{masked}</span>
        <DeniedButton reason={denial} className={buttonClass("quiet", "small")}>
          <Eye aria-hidden size={13} />
          {t("reveal")}
        </DeniedButton>
      </>
    );
  }
  return (
    <>
      <output className="inline-flex min-w-0 flex-wrap items-center gap-2">
        {shown === null ? (
          <span className="font-medium text-ink">{masked}</span>
        ) : (
          <RevealedDocument shown={shown} onOver={hide} />
        )}
      </output>
      <Button
        tone="quiet"
        size="small"
        aria-label={shown === null ? t("revealNamed", { document: masked }) : undefined}
        onClick={() => (shown === null ? setAsking(true) : hide())}
        onFocus={() => void loadDialog()}
        onPointerEnter={() => void loadDialog()}
      >
        {shown === null ? <Eye aria-hidden size={13} /> : <EyeOff aria-hidden size={13} />}
        {shown === null ? t("reveal") : t("hide")}
      </Button>
      {isAsking ? (
        <RevealDialog
          masked={masked}
          target={{ kind, id, field, member }}
          onClose={() => setAsking(false)}
          onRevealed={(revealed) => {
            setAsking(false);
            setShown(revealed);
          }}
        />
      ) : null}
    </>
  );
}
