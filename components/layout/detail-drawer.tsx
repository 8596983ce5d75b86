"use client";

import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";

const loadDialog = () => import("@/components/ui/dialog");
// Without ssr: false the dialog would suspend the whole screen while it loads.
const Dialog = deferred(() => loadDialog().then((loaded) => loaded.Dialog));

const preload = () => void loadDialog();

type DetailDrawerProps = { label: string; description: string; children: ReactNode };

export function DetailDrawer({ label, description, children }: DetailDrawerProps) {
  const t = useTranslations("common");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        size="small"
        tone="quiet"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        onFocus={preload}
        onPointerEnter={preload}
      >
        <Icon of="info" size={13} />
        {label}
      </Button>
      {isOpen ? (
        <Dialog isDrawer title={label} description={description} closeLabel={t("close")} onClose={() => setOpen(false)}>
          {children}
        </Dialog>
      ) : null}
    </>
  );
}
