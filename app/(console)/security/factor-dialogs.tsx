"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { EnrolmentSteps, RecoveryCodes } from "@/app/enrol/enrolment-steps";
import { Dialog } from "@/components/ui/dialog";
import { startEnrolment, disableFactor, renewRecoveryCodes } from "@/lib/security/actions";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";

export function SetUpDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations();
  const [hasCodes, setCodes] = useState(false);
  const [leavings, setLeavings] = useState(0);
  return (
    <Dialog
      title={t("factors.title")}
      description={t("factors.onLead")}
      closeLabel={t("common.close")}
      onClose={() => (hasCodes ? setLeavings(leavings + 1) : onClose())}
    >
      <div className="px-5 pb-5">
        <EnrolmentSteps start={startEnrolment} leavings={leavings} onCodes={() => setCodes(true)} onDone={onClose} />
      </div>
    </Dialog>
  );
}

export function DisableDialog({ onClose }: { onClose: () => void }) {
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

export function RenewDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations();
  const { pending, failure, run } = useAction(renewRecoveryCodes);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [leavings, setLeavings] = useState(0);
  const texts = { title: t("factors.renewCodes"), description: t("factors.renewLead") };
  return codes === null ? (
    <FormDialog
      {...texts}
      submitLabel={t("factors.renewCodes")}
      pending={pending}
      error={failure}
      isWritten={false}
      onSubmit={() => run(null, setCodes)}
      onClose={onClose}
    >
      {null}
    </FormDialog>
  ) : (
    <Dialog {...texts} closeLabel={t("common.close")} onClose={() => setLeavings(leavings + 1)}>
      <div className="px-5 pb-5">
        <RecoveryCodes codes={codes} leavings={leavings} onSaved={onClose} />
      </div>
    </Dialog>
  );
}
