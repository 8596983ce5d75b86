"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { CopyButton } from "@/components/table/copy-button";
import { FailureText } from "@/components/layout/failure-text";
import { QrCode } from "@/components/layout/qr-code";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/session/use-action";
import { takeBiometricLink } from "@/lib/onboarding/actions";

type QrDialogProps = { id: string; document: string; onClose: () => void };

type Taken = { href: string; host: string; drawing: { size: number; path: string } | null };

/** Audited when the dialog opens. */
export function QrDialog({ id, document, onClose }: QrDialogProps) {
  const t = useTranslations("onboardingRecord");
  const common = useTranslations("common");
  const router = useRouter();
  const { failure, run } = useAction(takeBiometricLink);
  const [taken, setTaken] = useState<Taken | null>(null);
  const wasAsked = useRef(false);

  useEffect(() => {
    if (wasAsked.current) return;
    wasAsked.current = true;
    run({ id, use: "shown" }, setTaken);
  }, [id, run]);

  const close = () => {
    onClose();
    router.refresh();
  };
  return (
    <Dialog title={t("qrTitle")} description={t("qrBody", { document })} closeLabel={common("close")} onClose={close}>
      <div className="flex flex-col items-center gap-3 px-5 pb-5" aria-live="polite">
        {failure === null ? null : (
          <Notice tone="negative" className="w-full">
            <FailureText failure={failure} />
          </Notice>
        )}
        {taken === null && failure === null ? <p className="py-24 text-muted">{t("qrLoading")}</p> : null}
        {taken === null ? null : <Drawn taken={taken} />}
      </div>
    </Dialog>
  );
}

function Drawn({ taken: { href, host, drawing } }: { taken: Taken }) {
  const t = useTranslations("onboardingRecord");
  return (
    <>
      {drawing === null ? (
        <p className="text-muted">{t("qrTooLong")}</p>
      ) : (
        <QrCode drawing={drawing} label={t("qrLabel", { host })} className="size-64 rounded" />
      )}
      <p className="text-md font-semibold wrap-anywhere">{host}</p>
      <p className="flex max-w-full items-center gap-1.5">
        <code className="line-clamp-4 min-w-0 font-mono text-sm wrap-anywhere text-muted">{href}</code>
        <CopyButton text={href} label={t("copyLink")} />
      </p>
      <p className="text-sm text-warning">{t("qrWarning")}</p>
    </>
  );
}
