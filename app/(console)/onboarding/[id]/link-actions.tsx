"use client";

import { Copy, QrCode } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FailureText } from "@/components/failure-text";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import { useAction } from "@/components/use-action";
import { takeBiometricLink } from "@/lib/onboarding/actions";

const loadDialog = () => import("./qr-dialog");
// Without ssr: false the dialog would suspend the whole screen while it loads.
const QrDialog = dynamic(() => loadDialog().then((loaded) => loaded.QrDialog), { ssr: false });

type LinkActionsProps = { id: string; document: string; denial: string | null };

/** The link is not in the page: whoever takes it, to show or to copy, does so on record. */
export function LinkActions({ id, document, denial }: LinkActionsProps) {
  const t = useTranslations("onboardingRecord");
  const router = useRouter();
  const { pending, failure, run } = useAction(takeBiometricLink);
  const [isShown, setShown] = useState(false);
  const [wasCopied, setCopied] = useState<boolean | null>(null);

  const copy = () => {
    setCopied(null);
    run({ id, use: "copied" }, ({ href }) => {
      const written = navigator.clipboard.writeText(href);
      void written.then(
        () => setCopied(true),
        () => setCopied(false),
      );
      router.refresh();
    });
  };
  if (denial !== null) {
    return (
      <div className="mt-2.5 flex flex-wrap gap-2">
        <DeniedButton reason={denial} className={buttonClass("plain", "small")}>
          <QrCode aria-hidden size={13} />
          {t("showQr")}
        </DeniedButton>
        <DeniedButton reason={denial} className={buttonClass("plain", "small")}>
          <Copy aria-hidden size={13} />
          {t("copyLink")}
        </DeniedButton>
      </div>
    );
  }
  return (
    <>
      <div className="mt-2.5 flex flex-wrap items-center gap-2">
        <Button size="small" onClick={() => setShown(true)} onPointerEnter={() => void loadDialog()}>
          <QrCode aria-hidden size={13} />
          {t("showQr")}
        </Button>
        <Button size="small" isBusy={pending} onClick={copy}>
          <Copy aria-hidden size={13} />
          {t("copyLink")}
        </Button>
        <p aria-live="polite" className="text-sm text-muted">
          {wasCopied === null ? t("linkOnRecord") : t(wasCopied ? "linkCopied" : "linkNotCopied")}
        </p>
      </div>
      <p aria-live="assertive" className="text-sm text-negative">
        {failure ? <FailureText failure={failure} /> : null}
      </p>
      {isShown ? <QrDialog id={id} document={document} onClose={() => setShown(false)} /> : null}
    </>
  );
}
