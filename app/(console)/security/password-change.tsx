"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirmation } from "@/components/layout/confirmation";
import { Button } from "@/components/ui/button";
import { deferred } from "@/components/ui/deferred";

const PasswordDialog = deferred(() => import("./password-dialog").then((loaded) => loaded.PasswordDialog));

export function PasswordChange() {
  const t = useTranslations("factors");
  const [isOpen, setOpen] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const done = () => {
    setOpen(false);
    setChanged(true);
  };
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t("changePassword")}
      </Button>
      {isOpen ? <PasswordDialog onClose={() => setOpen(false)} onDone={done} /> : null}
      <Confirmation onDismiss={() => setChanged(false)}>{isChanged ? t("changed") : null}</Confirmation>
    </>
  );
}
