"use client";

import { Copy, Download, Printer } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { saveFile } from "@/components/layout/save-file";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";

const FILE = "retaguarda-recovery-codes.txt";

type RecoveryCodesProps = {
  codes: readonly string[];
  leavings?: number;
  onKept: () => void;
};

/** Shown once. */
export function RecoveryCodes({ codes, leavings = 0, onKept }: RecoveryCodesProps) {
  const t = useTranslations("factors");
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (leavings > 0) box.current?.focus();
  }, [leavings]);
  const [isKept, setKept] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const text = `${t("codesTitle")}\n\n${codes.join("\n")}\n`;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className="space-y-5">
      <Notice tone="warning" live="polite">
        {t("codesLead")}
      </Notice>
      <section data-printed aria-label={t("codesTitle")} className="rounded-lg border border-line bg-canvas p-4">
        <h2 className="mb-3 font-medium">{t("codesTitle")}</h2>
        <ul className="grid grid-cols-1 gap-x-6 gap-y-1 font-mono text-base sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </section>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => void copy()}>
          <Copy aria-hidden size={13} />
          {isCopied ? t("codesCopied") : t("copyCodes")}
        </Button>
        <Button size="small" onClick={() => saveFile(FILE, new Blob([text], { type: "text/plain" }))}>
          <Download aria-hidden size={13} />
          {t("saveCodes")}
        </Button>
        <Button size="small" onClick={() => window.print()}>
          <Printer aria-hidden size={13} />
          {t("printCodes")}
        </Button>
      </div>
      <label className="flex items-start gap-2.5 text-sm">
        <input
          ref={box}
          type="checkbox"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          checked={isKept}
          onChange={(event) => setKept(event.target.checked)}
        />
        {t("kept")}
      </label>
      <div role="alert" className="empty:hidden">
        {leavings > 0 && !isKept ? <Notice tone="negative">{t("keepFirst")}</Notice> : null}
      </div>
      <Button tone="primary" size="large" className="w-full" aria-disabled={!isKept} onClick={() => isKept && onKept()}>
        {t("goOn")}
      </Button>
    </div>
  );
}
