"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { CopyButton } from "@/components/table/copy-button";
import { ProviderText } from "@/components/layout/provider-text";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { formatBrl, formatCrypto, formatDateTime, formatTime, isDecimal } from "@/lib/text/format";
import { fieldLabel } from "@/lib/text/field-label";
import { lookUpOtcTrade } from "@/lib/wallets/actions";
import { NETWORK_NAMES, OTC_FIELDS, type OtcField, type OtcTrade } from "@/lib/wallets/view";

export function OtcTradeDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("otc");
  const { pending, failure, run } = useAction(lookUpOtcTrade);
  const [id, setId] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [found, setFound] = useState<OtcTrade | null>(null);
  if (found !== null) return <FoundTrade found={found} onAgain={() => setFound(null)} onClose={onClose} />;

  const isMissing = id.trim() === "";
  const submit = (form: HTMLFormElement) => {
    setChecked(true);
    if (isMissing) form.querySelector<HTMLElement>("[name=id]")?.focus();
    else run({ id }, setFound);
  };
  return (
    <FormDialog
      title={t("title")}
      description={t("body")}
      submitLabel={t("submit")}
      slow="slow"
      pending={pending}
      error={failure}
      isWritten={!isMissing}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t("id")}
        hint={t("idHint")}
        name="id"
        autoComplete="off"
        spellCheck={false}
        value={id}
        error={isChecked && isMissing ? t("idFirst") : failure?.fields?.["id"]}
        onChange={({ target }) => setId(target.value)}
      />
    </FormDialog>
  );
}

const WORDS = [
  "status.QUOTED",
  "status.CONFIRMED",
  "status.SETTLED",
  "status.CANCELLED",
  "side.BUY",
  "side.SELL",
] as const;
const COPIED: ReadonlySet<OtcField | null> = new Set(["id", "tokenAddress"]);

function useOtcValue(currency: string | undefined) {
  const t = useTranslations("otc");
  const networks = useTranslations("wallets.networks");
  const locale = useLocale();
  return ({ name, text, kind }: OtcTrade["fields"][number]): string => {
    const word = WORDS.find((known) => known === `${name}.${text}`);
    if (word !== undefined) return t(`words.${word}`);
    const network = NETWORK_NAMES.find((known) => name === "network" && known === text);
    if (network !== undefined) return networks(network);
    if (name === "quantity") return formatCrypto(text, locale);
    const isSum = (name === "price" || name === "total") && currency === "BRL" && isDecimal(text);
    if (isSum) return formatBrl(text, locale);
    return kind === "time" ? formatDateTime(text, locale) : text;
  };
}

type FoundTradeProps = { found: OtcTrade; onAgain: () => void; onClose: () => void };

function FoundTrade({ found: { id, fields, asOf }, onAgain, onClose }: FoundTradeProps) {
  const t = useTranslations();
  const locale = useLocale();
  const valueOf = useOtcValue(fields.find(({ name }) => name === "currency")?.text);
  const known = OTC_FIELDS.flatMap((name) => fields.filter((field) => field.name === name));
  const others = fields.filter(({ name }) => name === null);
  return (
    <Dialog
      title={t("otc.found", { id })}
      description={t("otc.readAt", { time: formatTime(asOf, locale) })}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      {fields.length === 0 ? (
        <div className="px-5 pb-5">
          <Notice tone="warning">{t("otc.untold")}</Notice>
        </div>
      ) : (
        <DescriptionList>
          {[...known, ...others].map((field) => (
            <Described
              key={field.path}
              name={field.name === null ? fieldLabel(field.path) : t(`otc.fields.${field.name}`)}
            >
              <ProviderText text={valueOf(field)} />
              {COPIED.has(field.name) ? <CopyButton text={field.text} label={t("common.copy")} /> : null}
            </Described>
          ))}
        </DescriptionList>
      )}
      <footer className="sticky bottom-0 flex justify-end gap-2 border-t border-line bg-raised px-5 py-3">
        <Button onClick={onAgain}>{t("otc.again")}</Button>
        <Button tone="primary" onClick={onClose}>
          {t("common.close")}
        </Button>
      </footer>
    </Dialog>
  );
}
