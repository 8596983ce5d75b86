"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { deferred } from "@/components/ui/deferred";

const RenewDialog = deferred(() => import("./renew-dialog").then((loaded) => loaded.RenewDialog));

export function RenewCodes() {
  const t = useTranslations("factors");
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    router.refresh();
  };
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t("renewCodes")}
      </Button>
      {isOpen ? <RenewDialog onClose={close} /> : null}
    </>
  );
}
