"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { DialogButton } from "@/components/form/dialog-button";
import { Confirmation } from "@/components/layout/confirmation";
import { deferred } from "@/components/layout/deferred";
import { useRefresh } from "@/components/live/live-refresh";

const loadExpect = () => import("./expect-dialog");
const ExpectDialog = deferred(() => loadExpect().then((loaded) => loaded.ExpectDialog));
const loadImports = () => import("./import-dialogs");
const ImportExpectedDialog = deferred(() => loadImports().then((loaded) => loaded.ImportExpectedDialog));
const ImportReasonsDialog = deferred(() => loadImports().then((loaded) => loaded.ImportReasonsDialog));

export function ExpectButtons({ denial }: { denial: string | null }) {
  const t = useTranslations("deposits");
  const refresh = useRefresh();
  const [done, setDone] = useState<string | null>(null);
  return (
    <>
      <DialogButton label={t("importReasons.button")} denial={denial} load={loadImports}>
        {(close) => <ImportReasonsDialog onClose={close} />}
      </DialogButton>
      <DialogButton label={t("import.button")} denial={denial} load={loadImports}>
        {(close) => <ImportExpectedDialog onClose={close} />}
      </DialogButton>
      <DialogButton label={t("expect.button")} denial={denial} tone="primary" load={loadExpect}>
        {(close) => (
          <ExpectDialog
            onClose={close}
            onDone={(outcome) => {
              close();
              setDone(t(outcome === "same" ? "expect.same" : "expect.done"));
              refresh();
            }}
          />
        )}
      </DialogButton>
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </>
  );
}
