"use client";

import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/form/dialog-button";
import { deferred } from "@/components/layout/deferred";
import type { ReplayScope } from "@/lib/webhooks/inputs";

const loadDialog = () => import("./replay-dialog").then((loaded) => loaded.ReplayDialog);
const ReplayDialog = deferred(loadDialog);

export function ReplayButton({ scope, denial }: { scope: ReplayScope; denial: string | null }) {
  const t = useTranslations("replays");
  return (
    <DialogButton label={t(scope.delivery === undefined ? "these" : "one")} denial={denial} load={loadDialog}>
      {(close) => <ReplayDialog scope={scope} onClose={close} />}
    </DialogButton>
  );
}
