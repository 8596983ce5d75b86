"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { CsvField } from "@/components/form/csv-field";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { DataTable } from "@/components/table/data-table";
import { ProviderText } from "@/components/layout/provider-text";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { importRates } from "@/lib/position/actions";
import type { RateReport } from "@/lib/position/view";

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("position.file");
  const { pending, failure, run } = useAction(importRates);
  const [csv, setCsv] = useState("");
  const [rows, setRows] = useState<readonly RateReport[] | null>(null);
  if (rows !== null) return <RatesReport rows={rows} onClose={onClose} />;
  return (
    <FormDialog
      title={t("button")}
      description={t("body")}
      submitLabel={t("submit")}
      isReady={csv.trim() !== ""}
      pending={pending}
      error={failure}
      isWritten={csv !== ""}
      onSubmit={() => run({ csv }, (done) => setRows(done.rows))}
      onClose={onClose}
    >
      <CsvField label={t("file")} hint={t("hint")} error={failure?.fields?.["csv"]} onText={setCsv} />
    </FormDialog>
  );
}

function RatesReport({ rows, onClose }: { rows: readonly RateReport[]; onClose: () => void }) {
  const t = useTranslations();
  const saved = rows.filter(({ outcome }) => outcome === "saved").length;
  const same = rows.filter(({ outcome }) => outcome === "same").length;
  return (
    <Dialog
      title={t("position.file.report")}
      description={t("position.file.reportBody", { saved, same, refused: rows.length - saved - same })}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      <DataTable
        label={t("position.file.report")}
        columns={[
          { header: t("position.file.line"), width: "w-[5rem]" },
          { header: t("position.csv.asset") },
          { header: t("position.file.outcome") },
        ]}
      >
        {rows.map(({ line, asset, outcome }) => (
          <tr key={line}>
            <td>{line}</td>
            <td>
              <ProviderText text={asset} />
            </td>
            <td className="whitespace-normal!">{t(`position.file.outcomes.${outcome}`)}</td>
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
