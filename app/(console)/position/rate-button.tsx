"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { DialogButton } from "@/components/form/dialog-button";
import { Confirmation } from "@/components/layout/confirmation";
import { Icon } from "@/components/ui/icons";
import { deferred } from "@/components/layout/deferred";
import { useRefresh } from "@/components/live/live-refresh";
import { providerText } from "@/lib/text/provider-word";
import type { RatedAsset } from "./rate-dialog";

const loadDialog = () => import("./rate-dialog");
const RateDialog = deferred(() => loadDialog().then((loaded) => loaded.RateDialog));

export function RateButton({ asset, day }: { asset: RatedAsset; day: string }) {
  const t = useTranslations("position.rate");
  const refresh = useRefresh();
  const name = t("buttonOf", { asset: providerText(asset.asset) });
  const [done, setDone] = useState<string | null>(null);
  return (
    <>
      {/* Above the link that covers its row. */}
      <span className="row-action -my-1 inline-block order-first" title={name}>
        <DialogButton label={<Icon of="pencil" size={13} />} name={name} tone="quiet" size="icon" load={loadDialog}>
          {(close) => (
            <RateDialog
              asset={asset}
              day={day}
              onClose={close}
              onDone={() => {
                close();
                setDone(t("done"));
                refresh();
              }}
            />
          )}
        </DialogButton>
      </span>
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </>
  );
}
