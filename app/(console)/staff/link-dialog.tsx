"use client";

import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { copyText } from "@/components/ui/copy-text";
import { Dialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { formatDateTime } from "@/lib/text/format";
import type { Delivered } from "@/lib/staff/inputs";

type LinkDialogProps = {
  words: { title: string; body: string };
  /** Null when it went by mail alone. */
  link: string | null;
  expiresAt: string;
  notice: ReactNode;
  onClose: () => void;
};

export function LinkDialog({ words, link, expiresAt, notice, onClose }: LinkDialogProps) {
  const t = useTranslations();
  const locale = useLocale();
  const until = t("staff.linkUntil", { time: formatDateTime(expiresAt, locale) });
  return (
    <Dialog title={words.title} description={words.body} closeLabel={t("common.close")} onClose={onClose}>
      <div className="space-y-4 px-5 pb-5">
        {link === null ? null : <LinkField link={link} hint={until} />}
        {notice}
      </div>
      <footer className="sticky bottom-0 flex justify-end border-t border-line bg-raised px-5 py-3">
        <Button onClick={onClose}>{t("staff.done")}</Button>
      </footer>
    </Dialog>
  );
}

type InvitationLinkDialogProps = { delivered: Delivered; onClose: () => void };

export function InvitationLinkDialog({ delivered, onClose }: InvitationLinkDialogProps) {
  const t = useTranslations("staff");
  const { name, link, expiresAt } = delivered;
  return (
    <LinkDialog
      words={{ title: t("linkTitle", { name }), body: link === null ? t("linkMailedBody") : t("linkBody") }}
      link={link}
      expiresAt={expiresAt}
      notice={<MailNotice delivered={delivered} />}
      onClose={onClose}
    />
  );
}

function LinkField({ link, hint }: { link: string; hint: string }) {
  const t = useTranslations();
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    field.current?.select();
    setCopied(await copyText(link));
  };
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          ref={field}
          label={t("staff.link")}
          hint={hint}
          readOnly
          value={link}
          onFocus={(event) => event.target.select()}
          className="font-mono text-sm"
        />
      </div>
      <Button tone="primary" onClick={() => void copy()} className="mt-6.5 h-9">
        {isCopied ? <Icon of="check" size={14} /> : <Icon of="copy" size={14} />}
        <span aria-live="polite">{isCopied ? t("common.copied") : t("staff.copyLink")}</span>
      </Button>
    </div>
  );
}

function MailNotice({ delivered: { mail, email } }: { delivered: Delivered }) {
  const t = useTranslations("staff");
  if (mail === "sent") return <Notice tone="positive">{t("mailSent", { email })}</Notice>;
  if (mail === "failed") return <Notice tone="warning">{t("mailFailed", { email })}</Notice>;
  return <Notice tone="info">{t("mailOff")}</Notice>;
}
