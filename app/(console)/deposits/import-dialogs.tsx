"use client";

import { useTranslations } from "next-intl";
import { CsvImportDialog } from "@/components/table/csv-import-dialog";
import { importDepositReasons, importExpectedDeposits } from "@/lib/deposits/actions";
import { providerText } from "@/lib/text/provider-word";

export function ImportExpectedDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("deposits.import");
  return (
    <CsvImportDialog
      action={importExpectedDeposits}
      title={t("title")}
      description={t("body")}
      submitLabel={t("submit")}
      file={{ label: t("file"), hint: t("hint") }}
      report={{
        title: t("report"),
        columns: { line: t("line"), subject: t("subject"), outcome: t("outcome") },
        summary: (counts) => t("reportBody", counts),
        rowOf: ({ line, reference, outcome }) => ({
          line,
          subject: providerText(reference),
          outcome: t(`outcomes.${outcome}`),
        }),
      }}
      onClose={onClose}
    />
  );
}

export function ImportReasonsDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("deposits.importReasons");
  const words = useTranslations("deposits.import");
  return (
    <CsvImportDialog
      action={importDepositReasons}
      title={t("title")}
      description={t("body")}
      submitLabel={t("submit")}
      file={{ label: words("file"), hint: t("hint") }}
      report={{
        title: words("report"),
        columns: { line: words("line"), subject: t("subject"), outcome: words("outcome") },
        summary: (counts) => t("reportBody", counts),
        rowOf: ({ line, id, outcome }) => ({ line, subject: providerText(id), outcome: t(`outcomes.${outcome}`) }),
      }}
      onClose={onClose}
    />
  );
}
