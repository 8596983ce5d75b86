"use client";

import { Check, Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";

const SHOWN_MS = 2_000;

/** Copies what may be passed on to the holder. */
export function HolderCopy({ text }: { text: string }) {
  const t = useTranslations("onboardingRecord");
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <Button size="small" onClick={() => void copy()}>
      <Icon aria-hidden size={13} />
      <span aria-live="polite">{isCopied ? t("copiedHolder") : t("copyHolder")}</span>
    </Button>
  );
}
