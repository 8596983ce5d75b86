"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EnrolmentSteps } from "@/app/enrol/enrolment-steps";
import { FormDialog } from "@/components/form-dialog";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import { Dialog } from "@/components/ui/dialog";
import { useAction } from "@/components/use-action";
import { disableFactor, startEnrolment } from "@/lib/factors/actions";

type FactorActionsProps = { isOn: boolean; isRequired: boolean };

/** Sets an app up, or another one in its place, and turns it off where no role asks for it. */
export function FactorActions({ isOn, isRequired }: FactorActionsProps) {
  const t = useTranslations();
  const router = useRouter();
  const [open, setOpen] = useState<"set-up" | "disable" | null>(null);
  const close = () => {
    setOpen(null);
    router.refresh();
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" onClick={() => setOpen("set-up")}>
        {t(isOn ? "factors.replace" : "factors.setUp")}
      </Button>
      {isOn && isRequired ? (
        <DeniedButton className={buttonClass("plain", "small")} reason={t("factors.disableRequired")}>
          {t("factors.disable")}
        </DeniedButton>
      ) : null}
      {isOn && !isRequired ? (
        <Button size="small" onClick={() => setOpen("disable")}>
          {t("factors.disable")}
        </Button>
      ) : null}
      {open === "set-up" ? (
        <Dialog
          title={t("factors.title")}
          description={t("factors.onLead")}
          closeLabel={t("common.close")}
          onClose={close}
        >
          <div className="px-5 pb-5">
            <EnrolmentSteps start={startEnrolment} onDone={close} />
          </div>
        </Dialog>
      ) : null}
      {open === "disable" ? <DisableDialog onClose={close} /> : null}
    </div>
  );
}

function DisableDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("factors");
  const { pending, failure, run } = useAction(disableFactor);
  return (
    <FormDialog
      title={t("disableTitle")}
      description={t("disableLead")}
      submitLabel={t("disable")}
      tone="negative"
      pending={pending}
      error={failure}
      isWritten={false}
      onSubmit={() => run(null, onClose)}
      onClose={onClose}
    >
      {null}
    </FormDialog>
  );
}
