"use client";

import { useTranslations } from "next-intl";
import { EnrolmentSteps } from "@/app/enrol/enrolment-steps";
import { Dialog } from "@/components/ui/dialog";
import { startEnrolment } from "@/lib/factors/actions";

export function SetUpDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations();
  return (
    <Dialog
      title={t("factors.title")}
      description={t("factors.onLead")}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      <div className="px-5 pb-5">
        <EnrolmentSteps start={startEnrolment} onDone={onClose} />
      </div>
    </Dialog>
  );
}
