"use client";

import { useTranslations } from "next-intl";
import { ProviderText } from "@/components/layout/provider-text";
import { CsvImportDialog } from "@/components/table/csv-import-dialog";
import { shortAddress } from "@/lib/text/short";
import { providerText } from "@/lib/text/provider-word";
import { importDepositAddresses } from "@/lib/wallets/actions";

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("walletForm.import");
  const words = useTranslations("wallets");
  return (
    <CsvImportDialog
      action={importDepositAddresses}
      title={t("title")}
      description={t("body")}
      submitLabel={t("submit")}
      file={{ label: words("labels.file"), hint: t("hint") }}
      report={{
        title: words("labels.report"),
        columns: { line: words("labels.line"), subject: words("wallet"), outcome: words("labels.outcome") },
        summary: (counts) => t("reportBody", counts),
        rowOf: ({ line, address, outcome }) => ({
          line,
          subject: (
            <span title={providerText(address)}>
              <ProviderText text={shortAddress(address)} />
            </span>
          ),
          outcome: t(`outcomes.${outcome}`),
        }),
      }}
      onClose={onClose}
    />
  );
}
