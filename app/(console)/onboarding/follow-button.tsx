"use client";

import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import { DeniedButton } from "@/components/ui/denied-button";

const loadDialog = () => import("./follow-dialog");
const FollowDialog = deferred(() => loadDialog().then((loaded) => loaded.FollowDialog));

export function FollowButton({ denial }: { denial: string | null }) {
  const t = useTranslations("onboarding");
  const [isOpen, setOpen] = useState(false);
  const label = (
    <>
      <Icon of="plus" size={15} />
      {t("follow")}
    </>
  );
  if (denial !== null) {
    return (
      <DeniedButton reason={denial} className={buttonClass("plain")}>
        {label}
      </DeniedButton>
    );
  }
  return (
    <>
      <Button onClick={() => setOpen(true)} onFocus={() => void loadDialog()} onPointerEnter={() => void loadDialog()}>
        {label}
      </Button>
      {isOpen ? <FollowDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}
