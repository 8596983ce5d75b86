"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useState } from "react";
import { TypeWord } from "@/app/(console)/accounts/type-word";
import { RevealReasonFields, useRevealReason } from "@/app/(console)/privacy/reveal-dialog";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { CopyButton } from "@/components/table/copy-button";
import { ProviderText } from "@/components/layout/provider-text";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { lookUpPixKey } from "@/lib/accounts/actions";
import { PIX_KEY_FIELDS, type PixKeyFieldName, type PixKeyHolder } from "@/lib/accounts/view";
import { formatTime } from "@/lib/text/format";
import { fieldLabel } from "@/lib/text/field-label";

/** Shows a PIX key's holder before a payment, with an audited reason. */
export function PixKeyDialog({ typed = "", onClose }: { typed?: string; onClose: () => void }) {
  const t = useTranslations();
  const { pending, failure, run } = useAction(lookUpPixKey);
  const [pixKey, setPixKey] = useState(typed);
  const why = useRevealReason();
  const [isChecked, setChecked] = useState(false);
  const [found, setFound] = useState<PixKeyHolder | null>(null);
  if (found !== null) return <FoundDialog found={found} onAgain={() => setFound(null)} onClose={onClose} />;

  const isKeyMissing = pixKey.trim() === "";
  const submit = (form: HTMLFormElement) => {
    setChecked(true);
    const given = why.take(form);
    if (isKeyMissing) form.querySelector<HTMLElement>("[name=pixKey]")?.focus();
    else if (given !== null) run({ pixKey, ...given }, setFound);
  };
  return (
    <FormDialog
      title={t("pixKey.title")}
      description={t("pixKey.body")}
      submitLabel={t("pixKey.submit")}
      slow="slow"
      pending={pending}
      error={failure}
      isWritten={why.isWritten || !isKeyMissing}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t("pixKey.key")}
        hint={t("pixKey.keyHint")}
        name="pixKey"
        autoComplete="off"
        spellCheck={false}
        value={pixKey}
        error={isChecked && isKeyMissing ? t("pixKey.keyFirst") : failure?.fields?.["pixKey"]}
        onChange={({ target }) => setPixKey(target.value)}
      />
      <RevealReasonFields why={why} failure={failure} />
    </FormDialog>
  );
}

/** The fields that the transfer form needs. */
const TYPES: ReadonlySet<PixKeyFieldName | null> = new Set(["type", "accountType", "keyType"]);
const COPIED: ReadonlySet<PixKeyFieldName | null> = new Set(["name", "ispb", "branch", "account", "accountId"]);

type FoundDialogProps = { found: PixKeyHolder; onAgain: () => void; onClose: () => void };

function FoundDialog({ found: { pixKey, fields, own, asOf }, onAgain, onClose }: FoundDialogProps) {
  const t = useTranslations();
  const locale = useLocale();
  const known = PIX_KEY_FIELDS.flatMap((name) => fields.filter((field) => field.name === name));
  const others = fields.filter(({ name }) => name === null);
  return (
    <Dialog
      title={pixKey}
      description={t("pixKey.readAt", { time: formatTime(asOf, locale) })}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      {own === null ? null : (
        <Notice tone="info" className="mx-5 mb-3">
          {t("pixKey.own")}{" "}
          <Link href={`/accounts/${own.ref}`} prefetch={false} className="font-medium text-accent underline">
            <ProviderText text={own.name} />
          </Link>
        </Notice>
      )}
      {fields.length === 0 ? (
        <div className="px-5 pb-5">
          <Notice tone="warning">{t("pixKey.untold")}</Notice>
        </div>
      ) : (
        <DescriptionList>
          {[...known, ...others].map(({ name, path, text }) => (
            <Described key={path} name={name === null ? fieldLabel(path) : t(`pixKey.fields.${name}`)}>
              <span className={name === "name" ? "font-medium" : undefined}>
                {TYPES.has(name) ? <TypeWord text={text} /> : <ProviderText text={text} />}
              </span>
              {COPIED.has(name) ? <CopyButton text={text} label={t("common.copy")} /> : null}
            </Described>
          ))}
        </DescriptionList>
      )}
      <footer className="sticky bottom-0 flex justify-end gap-2 border-t border-line bg-raised px-5 py-3">
        <Button onClick={onAgain}>{t("pixKey.again")}</Button>
        <Button tone="primary" onClick={onClose}>
          {t("common.close")}
        </Button>
      </footer>
    </Dialog>
  );
}
