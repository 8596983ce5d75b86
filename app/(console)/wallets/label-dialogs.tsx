"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ChangedNotice, useSeen } from "@/components/form/changed-notice";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { CsvImportDialog } from "@/components/table/csv-import-dialog";
import { ProviderText } from "@/components/layout/provider-text";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
import { TextField } from "@/components/ui/field";
import { shortAddress } from "@/lib/text/short";
import { providerText } from "@/lib/text/provider-word";
import { importWalletLabels, labelWallet } from "@/lib/wallets/actions";
import { LABEL_MAX } from "@/lib/wallets/view";
import { WALLET_USES, type WalletUse } from "@/lib/db/enums/wallets";

export type LabelledWallet = { id: string; label: string | null; setUse: WalletUse | null };

export function LabelDialog({ wallet, onClose }: { wallet: LabelledWallet; onClose: () => void }) {
  const t = useTranslations("wallets");
  const router = useRouter();
  const { pending, failure, run } = useAction(labelWallet);
  const [label, setLabel] = useState(wallet.label ?? "");
  const [use, setUse] = useState<WalletUse | null>(wallet.setUse);
  const { seen, hasMoved, error, accept } = useSeen(wallet, ({ label: text, setUse: of }) => `${of} ${text}`, failure);
  const isWritten = label !== (seen.label ?? "") || use !== seen.setUse;
  const submit = () =>
    run(
      { walletId: wallet.id, label, use, seen: { label: seen.label, use: seen.setUse } },
      () => {
        router.refresh();
        onClose();
      },
      // Unsaved text blocks live refreshes, but a refused person needs what is there now.
      ({ kind }) => kind === "conflict" && router.refresh(),
    );
  const takeOver = () => {
    accept();
    setLabel(wallet.label ?? "");
    setUse(wallet.setUse);
  };
  const keepMine = () => {
    if (label === (seen.label ?? "")) setLabel(wallet.label ?? "");
    if (use === seen.setUse) setUse(wallet.setUse);
    accept();
  };
  if (hasMoved && !isWritten && !pending) takeOver();
  const facts = [
    { name: t("labels.label"), value: wallet.label ?? "–" },
    { name: t("columns.use"), value: wallet.setUse === null ? t("labels.asTold") : t(`uses.${wallet.setUse}`) },
  ];
  return (
    <FormDialog
      title={t("labels.title")}
      description={t("labels.body")}
      submitLabel={t("labels.save")}
      isReady={isWritten && !hasMoved}
      pending={pending}
      error={error}
      isWritten={isWritten}
      onSubmit={submit}
      onClose={onClose}
    >
      {hasMoved && !pending ? <ChangedNotice facts={facts} onTakeOver={takeOver} onKeep={keepMine} /> : null}
      <TextField
        label={t("labels.label")}
        hint={t("labels.labelHint")}
        name="label"
        maxLength={LABEL_MAX}
        autoComplete="off"
        value={label}
        error={error?.fields?.["label"]}
        onChange={({ target }) => setLabel(target.value)}
      />
      <ChoiceField legend={t("columns.use")}>
        <div className="grid gap-2 medium:grid-cols-2">
          <RadioTile name="use" value="" isChosen={use === null} onChoose={() => setUse(null)} className="px-3 py-2">
            {t("labels.asTold")}
          </RadioTile>
          {WALLET_USES.map((value) => (
            <RadioTile
              key={value}
              name="use"
              value={value}
              isChosen={use === value}
              onChoose={() => setUse(value)}
              className="px-3 py-2"
            >
              {t(`uses.${value}`)}
            </RadioTile>
          ))}
        </div>
      </ChoiceField>
    </FormDialog>
  );
}

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("wallets");
  return (
    <CsvImportDialog
      action={importWalletLabels}
      title={t("labels.import")}
      description={t("labels.importBody")}
      submitLabel={t("labels.importSubmit")}
      file={{ label: t("labels.file"), hint: t("labels.fileHint") }}
      report={{
        title: t("labels.report"),
        columns: { line: t("labels.line"), subject: t("wallet"), outcome: t("labels.outcome") },
        summary: (counts) => t("labels.reportBody", counts),
        rowOf: ({ line, wallet, outcome }) => ({
          line,
          subject: (
            <span title={providerText(wallet)}>
              <ProviderText text={shortAddress(wallet)} />
            </span>
          ),
          outcome: t(`labels.outcomes.${outcome}`),
        }),
      }}
      onClose={onClose}
    />
  );
}
