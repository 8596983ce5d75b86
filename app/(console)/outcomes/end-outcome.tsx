"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { DialogButton } from "@/components/form/dialog-button";
import { useAnnounce } from "@/components/layout/announcer";
import { deferred } from "@/components/layout/deferred";
import type { ChainCandidate } from "@/lib/wallets/view";

const loadDialog = () => import("./end-outcome-dialog").then((loaded) => loaded.EndOutcomeDialog);
const EndOutcomeDialog = deferred(loadDialog);

type EndOutcomeProps = {
  intentId: string;
  needsApproval: boolean;
  denial: string | null;
  candidates?: readonly Pick<ChainCandidate, "id" | "at">[];
};

export function EndOutcome({ intentId, needsApproval, denial, candidates }: EndOutcomeProps) {
  const t = useTranslations("outcomes");
  const router = useRouter();
  const announce = useAnnounce();
  return (
    <DialogButton label={t("end")} size="small" denial={denial} load={loadDialog}>
      {(close) => (
        <EndOutcomeDialog
          endedId={intentId}
          needsApproval={needsApproval}
          {...(candidates !== undefined && { candidates })}
          onClose={close}
          onDone={(state) => {
            close();
            announce(t(state === "PROPOSED" ? "proposedDone" : "ended"));
            router.refresh();
          }}
        />
      )}
    </DialogButton>
  );
}
