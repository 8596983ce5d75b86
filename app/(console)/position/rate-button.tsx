"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirmation } from "@/components/layout/confirmation";
import { deferred } from "@/components/layout/deferred";
import { useRefresh } from "@/components/live/live-refresh";
import { Button } from "@/components/ui/button";
import type { SumKey } from "@/lib/db/enums/position";
import { providerText } from "@/lib/text/provider-word";

export type RatedAsset = Pick<SumKey, "network" | "asset" | "token">;

const loadDialog = () => import("./rate-dialog");
const RateDialog = deferred(() => loadDialog().then((loaded) => loaded.RateDialog));

export function RateButton({ asset }: { asset: RatedAsset }) {
  const t = useTranslations("position.rate");
  const refresh = useRefresh();
  const [isOpen, setOpen] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  return (
    <>
      <Button
        tone="quiet"
        size="small"
        className="relative"
        aria-label={t("buttonOf", { asset: providerText(asset.asset) })}
        onClick={() => setOpen(true)}
        onFocus={() => void loadDialog()}
        onPointerEnter={() => void loadDialog()}
      >
        {t("button")}
      </Button>
      {isOpen ? (
        <RateDialog
          asset={asset}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false);
            setDone(t("done"));
            refresh();
          }}
        />
      ) : null}
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </>
  );
}
