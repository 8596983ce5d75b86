"use client";

import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/form/dialog-button";
import { deferred } from "@/components/layout/deferred";

const loadDialog = () => import("./otc-trade-dialog").then((loaded) => loaded.OtcTradeDialog);
const OtcTradeDialog = deferred(loadDialog);

export function OtcTradeButton() {
  const t = useTranslations("otc");
  return (
    <DialogButton label={t("button")} load={loadDialog}>
      {(close) => <OtcTradeDialog onClose={close} />}
    </DialogButton>
  );
}
