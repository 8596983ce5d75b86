"use client";

import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { copyText } from "@/components/ui/copy-text";

const SHOWN_MS = 1_600;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const t = useTranslations("common");
  const [isCopied, setCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async () => {
    setCopied(await copyText(text));
  };

  return (
    <button
      type="button"
      aria-label={isCopied ? t("copied") : label}
      title={isCopied ? t("copied") : label}
      onClick={() => void copy()}
      className="relative z-1 inline-grid size-6 shrink-0 place-items-center rounded-sm text-faint hover:bg-hover hover:text-ink"
    >
      {isCopied ? <Icon of="check" size={13} className="text-positive" /> : <Icon of="copy" size={13} />}
    </button>
  );
}
