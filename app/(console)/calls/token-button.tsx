"use client";

import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/form/dialog-button";
import { deferred } from "@/components/layout/deferred";

const loadDialog = () => import("./token-dialog").then((loaded) => loaded.TokenDialog);
const TokenDialog = deferred(loadDialog);

export function TokenButton({ denial }: { denial: string | null }) {
  const t = useTranslations("calls");
  return (
    <DialogButton label={t("tokenButton")} denial={denial} load={loadDialog}>
      {(close) => <TokenDialog onClose={close} />}
    </DialogButton>
  );
}
