"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { RecoveryCodes } from "@/app/enrol/enrolment-steps";
import { FormDialog } from "@/components/form/form-dialog";
import { Dialog } from "@/components/ui/dialog";
import { useAction } from "@/components/form/use-action";
import { renewRecoveryCodes } from "@/lib/auth/actions";

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
        <RecoveryCodes codes={codes} leavings={leavings} onKept={onClose} />
      </div>
    </Dialog>
  );
}
