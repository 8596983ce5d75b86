"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { CopyButton } from "@/components/table/copy-button";
import { FailureText } from "@/components/layout/failure-text";
import { QrCode } from "@/components/layout/qr-code";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import type { Failure } from "@/lib/errors/result";
import type { TakenLink } from "@/lib/text/handed-link";
import { hostOrName } from "@/lib/text/safe-link";

export type LinkWords = { title: string; body: string; warning: string; labelOf: (host: string) => string };

type QrDialogProps = {
  words: LinkWords;
  /** Null until the answer comes. */
  taken: TakenLink | null;
  failure: Failure | null;
  onClose: () => void;
};

export function QrDialog({ words, taken, failure, onClose }: QrDialogProps) {
  const t = useTranslations("handOver");
  const common = useTranslations("common");
  const router = useRouter();
  const close = () => {
    onClose();
    router.refresh();
  };
  return (
    <Dialog title={words.title} description={words.body} closeLabel={common("close")} onClose={close}>
      <div className="flex flex-col items-center gap-3 px-5 pb-5" aria-live="polite">
        {failure === null ? null : (
          <Notice tone="negative" className="w-full">
            <FailureText failure={failure} />
          </Notice>
        )}
        {taken === null && failure === null ? <p className="py-24 text-muted">{t("qrLoading")}</p> : null}
        {taken === null ? null : <Drawn taken={taken} words={words} />}
      </div>
    </Dialog>
  );
}

function Drawn({ taken: { href, host, drawing }, words }: { taken: TakenLink; words: LinkWords }) {
  const t = useTranslations("handOver");
  return (
    <>
      {drawing === null ? (
        <p className="text-muted">{t("qrTooLong")}</p>
      ) : (
        <QrCode drawing={drawing} label={words.labelOf(host)} className="size-64 rounded" />
      )}
      <p className="text-md font-semibold wrap-anywhere">{hostOrName(host, words.title)}</p>
      <p className="flex max-w-full items-center gap-1.5">
        <code className="line-clamp-4 min-w-0 font-mono text-sm wrap-anywhere text-muted">{href}</code>
        <CopyButton text={href} label={t("copyLink")} />
      </p>
      <p className="text-sm text-warning">{words.warning}</p>
    </>
  );
}
