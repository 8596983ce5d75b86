"use client";

import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/session/use-action";
import { deferred } from "@/components/layout/deferred";
import { FailureText } from "@/components/layout/failure-text";
import { PersonName } from "@/components/layout/person-name";
import { Button, buttonClass } from "@/components/ui/button";
import { copyText } from "@/components/ui/copy-text";
import { DeniedButton } from "@/components/ui/denied-button";
import { formatDateTime } from "@/lib/text/format";
import type { Action } from "@/lib/action";
import type { LinkStep, LinkUse, TakenLink } from "@/lib/text/handed-link";
import type { LinkWords } from "./qr-dialog";

const loadDialog = () => import("./qr-dialog");
const QrDialog = deferred(() => loadDialog().then((loaded) => loaded.QrDialog));

type LinkActionsProps<Input> = {
  take: Action<Input, TakenLink>;
  inputOf: (use: LinkStep) => Input;
  words: LinkWords;
  denial: string | null;
};

/** The link is not in the page, because taking it is audited. */
export function LinkActions<Input>({ take, inputOf, words, denial }: LinkActionsProps<Input>) {
  const t = useTranslations("handOver");
  const router = useRouter();
  const { pending, failure, run } = useAction(take);
  const showing = useAction(take);
  const noting = useAction(take);
  const [isShown, setShown] = useState(false);
  const [taken, setTaken] = useState<TakenLink | null>(null);
  const [wasCopied, setCopied] = useState<boolean | null>(null);

  const failed = failure ?? noting.failure;
  const show = () => {
    setTaken(null);
    setShown(true);
    showing.run(inputOf("shown"), setTaken);
  };
  const note = (isWritten: boolean) => {
    if (!isWritten) return setCopied(false);
    noting.run(inputOf("copied"), () => {
      setCopied(true);
      router.refresh();
    });
  };
  const copy = () => {
    setCopied(null);
    run(inputOf("taken"), ({ href }) => void copyText(href).then(note));
  };
  if (denial !== null) {
    return (
      <div className="mt-2.5 flex flex-wrap gap-2">
        <DeniedButton reason={denial} className={buttonClass("plain", "small")}>
          <Icon of="qr-code" size={13} />
          {t("showQr")}
        </DeniedButton>
        <DeniedButton reason={denial} className={buttonClass("plain", "small")}>
          <Icon of="copy" size={13} />
          {t("copyLink")}
        </DeniedButton>
      </div>
    );
  }
  return (
    <>
      <div className="mt-2.5 flex flex-wrap items-center gap-2">
        <Button size="small" onClick={show} onPointerEnter={() => void loadDialog()}>
          <Icon of="qr-code" size={13} />
          {t("showQr")}
        </Button>
        <Button size="small" isBusy={pending || noting.pending} onClick={copy}>
          <Icon of="copy" size={13} />
          {t("copyLink")}
        </Button>
        <p aria-live="polite" className="text-sm text-muted">
          {wasCopied === null ? t("linkOnRecord") : t(wasCopied ? "linkCopied" : "linkNotCopied")}
        </p>
      </div>
      <p aria-live="assertive" className="text-sm text-negative">
        {failed === null ? null : <FailureText failure={failed} />}
      </p>
      {isShown ? (
        <QrDialog words={words} taken={taken} failure={showing.failure} onClose={() => setShown(false)} />
      ) : null}
    </>
  );
}

/** `at` is ISO; newest first. */
export type LinkUsed = { use: LinkUse; byName: string; isMine: boolean; at: string };

export function LinkUses({ uses }: { uses: readonly LinkUsed[] }) {
  const t = useTranslations("handOver");
  const locale = useLocale();
  if (uses.length === 0) return <p className="text-muted">{t("linkUnused")}</p>;
  const usedText = ({ use, at }: LinkUsed, name: string) =>
    t(`linkUsed.${use}`, { name, time: formatDateTime(at, locale) });
  return (
    <ul>
      {uses.map((used) => (
        <li key={`${used.at} ${used.use} ${used.byName}`} className="tabular-nums">
          <PersonName name={usedText(used, used.byName)} you={used.isMine ? usedText(used, t("you")) : null} />
        </li>
      ))}
    </ul>
  );
}
