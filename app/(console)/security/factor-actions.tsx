"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Confirmation } from "@/components/layout/confirmation";
import { Button, buttonClass } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import { DeniedButton } from "@/components/ui/denied-button";

const RenewDialog = deferred(() => import("./factor-dialogs").then((loaded) => loaded.RenewDialog));

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

// Loaded on demand, as it is rarely opened.
const SetUpDialog = deferred(() => import("./factor-dialogs").then((loaded) => loaded.SetUpDialog));
const DisableDialog = deferred(() => import("./factor-dialogs").then((loaded) => loaded.DisableDialog));

type FactorActionsProps = { isOn: boolean; isRequired: boolean };

export function FactorActions({ isOn, isRequired }: FactorActionsProps) {
  const t = useTranslations("factors");
  const router = useRouter();
  const [open, setOpen] = useState<"set-up" | "disable" | null>(null);
  const close = () => {
    setOpen(null);
    router.refresh();
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" onClick={() => setOpen("set-up")}>
        {t(isOn ? "replace" : "setUp")}
      </Button>
      {isOn && isRequired ? (
        <DeniedButton className={buttonClass("plain", "small")} reason={t("disableRequired")}>
          {t("disable")}
        </DeniedButton>
      ) : null}
      {isOn && !isRequired ? (
        <Button size="small" onClick={() => setOpen("disable")}>
          {t("disable")}
        </Button>
      ) : null}
      {open === "set-up" ? <SetUpDialog onClose={close} /> : null}
      {open === "disable" ? <DisableDialog onClose={close} /> : null}
    </div>
  );
}
