"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { RecoveryCodes } from "@/app/enrol/recovery-codes";
import { FormDialog } from "@/components/form-dialog";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useAction } from "@/components/use-action";
import { renewRecoveryCodes } from "@/lib/factors/actions";

/** Ten new codes in the place of the old ones, once it is said that those end. */
export function RenewCodes() {
  const t = useTranslations();
  const router = useRouter();
  const { pending, failure, run } = useAction(renewRecoveryCodes);
  const [shown, setShown] = useState<string[] | "asking" | null>(null);
  const close = () => {
    setShown(null);
    router.refresh();
  };
  return (
    <>
      <Button size="small" onClick={() => setShown("asking")}>
        {t("factors.renewCodes")}
      </Button>
      {shown === "asking" ? (
        <FormDialog
          title={t("factors.renewCodes")}
          description={t("factors.renewLead")}
          submitLabel={t("factors.renewCodes")}
          pending={pending}
          error={failure}
          isWritten={false}
          onSubmit={() => run(null, setShown)}
          onClose={close}
        >
          {null}
        </FormDialog>
      ) : null}
      {Array.isArray(shown) ? (
        <Dialog
          title={t("factors.renewCodes")}
          description={t("factors.renewLead")}
          closeLabel={t("common.close")}
          onClose={close}
        >
          <div className="px-5 pb-5">
            <RecoveryCodes codes={shown} onKept={close} />
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
