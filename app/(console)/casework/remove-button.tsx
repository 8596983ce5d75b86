"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import type { Action } from "@/lib/action";
import type { FileRemoval } from "@/lib/casework/view";

const loadDialog = () => import("./remove-dialog");
const RemoveDialog = deferred(() => loadDialog().then((loaded) => loaded.RemoveDialog));

type RemoveButtonProps = { recordId: string; fileId: string; name: string; remove: Action<FileRemoval, null> };

export function RemoveButton(props: RemoveButtonProps) {
  const t = useTranslations("casework");
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        tone="quiet"
        size="small"
        aria-label={t("removeNamed", { name: props.name })}
        onClick={() => setAsking(true)}
        onFocus={() => void loadDialog()}
        onPointerEnter={() => void loadDialog()}
      >
        {t("remove")}
      </Button>
      {isAsking ? <RemoveDialog {...props} onClose={() => setAsking(false)} /> : null}
    </>
  );
}
