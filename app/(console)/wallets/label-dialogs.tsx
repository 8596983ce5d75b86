"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { CsvField } from "@/components/form/csv-field";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { DataTable } from "@/components/table/data-table";
import { ProviderText } from "@/components/layout/provider-text";
import { Button } from "@/components/ui/button";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
import { Dialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { shortAddress } from "@/lib/text/format";
import { providerText } from "@/lib/text/provider-word";
import { importWalletLabels, labelWallet } from "@/lib/wallets/actions";
import { LABEL_MAX, type LabelReport } from "@/lib/wallets/view";
import { WALLET_USES, type WalletUse } from "@/lib/db/enums/wallets";
import type { LabelledWallet } from "./label-buttons";

export function LabelDialog({ wallet, onClose }: { wallet: LabelledWallet; onClose: () => void }) {
  const t = useTranslations("wallets");
  const router = useRouter();
  const { pending, failure, run } = useAction(labelWallet);
  const [label, setLabel] = useState(wallet.label ?? "");
  const [use, setUse] = useState<WalletUse | null>(wallet.setUse);
  const isWritten = label !== (wallet.label ?? "") || use !== wallet.setUse;
  const submit = () =>
    run({ walletId: wallet.id, label, use }, () => {
      router.refresh();
      onClose();
    });
  return (
    <FormDialog
      title={t("labels.title")}
      description={t("labels.body")}
      submitLabel={t("labels.save")}
      isReady={isWritten}
      pending={pending}
      error={failure}
      isWritten={isWritten}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t("labels.label")}
        hint={t("labels.labelHint")}
        name="label"
        maxLength={LABEL_MAX}
        autoComplete="off"
        value={label}
        error={failure?.fields?.["label"]}
        onChange={({ target }) => setLabel(target.value)}
      />
      <ChoiceField legend={t("columns.use")}>
        <div className="grid gap-2 sm:grid-cols-2">
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
  const t = useTranslations("wallets.labels");
  const { pending, failure, run } = useAction(importWalletLabels);
  const [csv, setCsv] = useState("");
  const [rows, setRows] = useState<readonly LabelReport[] | null>(null);
  if (rows !== null) return <ImportReport rows={rows} onClose={onClose} />;
  return (
    <FormDialog
      title={t("import")}
      description={t("importBody")}
      submitLabel={t("importSubmit")}
      isReady={csv.trim() !== ""}
      pending={pending}
      error={failure}
      isWritten={csv !== ""}
      onSubmit={() => run({ csv }, (done) => setRows(done.rows))}
      onClose={onClose}
    >
      <CsvField label={t("file")} hint={t("fileHint")} error={failure?.fields?.["csv"]} onText={setCsv} />
    </FormDialog>
  );
}

function ImportReport({ rows, onClose }: { rows: readonly LabelReport[]; onClose: () => void }) {
  const t = useTranslations();
  const set = rows.filter(({ outcome }) => outcome === "set").length;
  const refused = rows.filter(({ outcome }) => outcome !== "set" && outcome !== "same").length;
  return (
    <Dialog
      title={t("wallets.labels.report")}
      description={t("wallets.labels.reportBody", { set, same: rows.length - set - refused, refused })}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      <DataTable
        label={t("wallets.labels.report")}
        columns={[
          { header: t("wallets.labels.line"), width: "w-[5rem]" },
          { header: t("wallets.wallet") },
          { header: t("wallets.labels.outcome") },
        ]}
      >
        {rows.map(({ line, wallet, outcome }) => (
          <tr key={line}>
            <td>{line}</td>
            <td title={providerText(wallet)}>
              <ProviderText text={shortAddress(wallet)} />
            </td>
            <td className="whitespace-normal!">{t(`wallets.labels.outcomes.${outcome}`)}</td>
          </tr>
        ))}
      </DataTable>
      <footer className="sticky bottom-0 flex justify-end border-t border-line bg-raised px-5 py-3">
        <Button tone="primary" onClick={onClose}>
          {t("common.close")}
        </Button>
      </footer>
    </Dialog>
  );
}
