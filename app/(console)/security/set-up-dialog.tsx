"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { EnrolmentSteps } from "@/app/enrol/enrolment-steps";
import { Dialog } from "@/components/ui/dialog";
import { startEnrolment } from "@/lib/auth/actions";

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
