"use client";

import { useTranslations } from "next-intl";
import { ProviderText } from "@/components/layout/provider-text";
import { CsvImportDialog } from "@/components/table/csv-import-dialog";
import { importRates } from "@/lib/position/actions";
import type { RateReport } from "@/lib/position/view";

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("position");
  const summary = (rows: readonly RateReport[]) => {
    const saved = rows.filter(({ outcome }) => outcome === "saved").length;
    const same = rows.filter(({ outcome }) => outcome === "same").length;
    return t("file.reportBody", { saved, same, refused: rows.length - saved - same });
  };
  return (
    <CsvImportDialog
      action={importRates}
      title={t("file.button")}
      description={t("file.body")}
      submitLabel={t("file.submit")}
      file={{ label: t("file.file"), hint: t("file.hint") }}
      report={{
        title: t("file.report"),
        columns: { line: t("file.line"), subject: t("csv.asset"), outcome: t("file.outcome") },
        summary,
        rowOf: ({ line, asset, outcome }) => ({
          line,
          subject: <ProviderText text={asset} />,
          outcome: t(`file.outcomes.${outcome}`),
        }),
      }}
      onClose={onClose}
    />
  );
}
