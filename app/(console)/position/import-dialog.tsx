"use client";

import { useTranslations } from "next-intl";
import { ProviderText } from "@/components/layout/provider-text";
import { CsvImportDialog } from "@/components/table/csv-import-dialog";
import { importRates } from "@/lib/position/actions";

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("position");
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
        summary: (counts) => t("file.reportBody", counts),
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
