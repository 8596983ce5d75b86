"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { CsvField } from "@/components/form/csv-field";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { type Columns, DataTable } from "@/components/table/data-table";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { Action } from "@/lib/action";

type ReportedRow = { line: number; subject: ReactNode; outcome: string };

type Counts = { saved: number; same: number; refused: number };

type CsvImportDialogProps<Row extends { outcome: string }> = {
  action: Action<{ csv: string }, { rows: Row[] }>;
  title: string;
  description: string;
  submitLabel: string;
  file: { label: string; hint: string };
  report: {
    title: string;
    columns: { line: string; subject: string; outcome: string };
    summary: (counts: Counts) => string;
    rowOf: (row: Row) => ReportedRow;
  };
  onClose: () => void;
};

/** Sends a file and then shows the result of each row. */
export function CsvImportDialog<Row extends { outcome: string }>({
  action,
  file,
  report,
  onClose,
  ...dialog
}: CsvImportDialogProps<Row>) {
  const t = useTranslations("common");
  const { pending, failure, run } = useAction(action);
  const [csv, setCsv] = useState("");
  const [rows, setRows] = useState<readonly Row[] | null>(null);
  if (rows === null) {
    return (
      <FormDialog
        {...dialog}
        isReady={csv.trim() !== ""}
        pending={pending}
        error={failure}
        isWritten={csv !== ""}
        onSubmit={() => run({ csv }, (done) => setRows(done.rows))}
        onClose={onClose}
      >
        <CsvField {...file} error={failure?.fields?.["csv"]} onText={setCsv} />
      </FormDialog>
    );
  }
  const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length;
  const saved = count("saved");
  const same = count("same");
  const unsaved = count("unsaved");
  const summary = report.summary({ saved, same, refused: rows.length - saved - same - unsaved });
  const columns: Columns<ReportedRow> = {
    line: { header: report.columns.line, width: "short", cell: ({ line }) => line },
    subject: { header: report.columns.subject, width: "text", cell: ({ subject }) => subject },
    outcome: {
      header: report.columns.outcome,
      width: "text",
      td: "whitespace-normal!",
      cell: ({ outcome }) => outcome,
    },
  };
  return (
    <Dialog
      title={report.title}
      description={unsaved === 0 ? summary : `${summary} ${t("unsavedRows", { count: unsaved })}`}
      closeLabel={t("close")}
      onClose={onClose}
    >
      <DataTable label={report.title} columns={columns} rows={rows.map(report.rowOf)} keyOf={({ line }) => line} />
      <footer className="sticky bottom-0 flex justify-end border-t border-line bg-raised px-5 py-3">
        <Button tone="primary" onClick={onClose}>
          {t("close")}
        </Button>
      </footer>
    </Dialog>
  );
}
