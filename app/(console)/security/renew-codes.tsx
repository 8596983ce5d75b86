"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";

const RenewDialog = dynamic(() => import("./renew-dialog").then((loaded) => loaded.RenewDialog), { ssr: false });

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
