"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useStaffId } from "@/components/desk";
import { useAction } from "@/components/use-action";
import { claimCase } from "@/lib/kyc/actions";
import type { KycRow } from "@/lib/kyc/queries";
import type { Failure, Holder } from "@/lib/result";

const loadDialog = () => import("./take-over-dialog");
const TakeOverDialog = dynamic(() => loadDialog().then((loaded) => loaded.TakeOverDialog), { ssr: false });

type GoOn = (claimed: KycRow) => void;
type TakingOver = { subject: KycRow; from: Holder; goOn: GoOn };

export type Claiming = {
  /** Makes the case the person's own and goes on with it; of a colleague's it asks first. */
  claim: (subject: KycRow, goOn: GoOn) => void;
  isPending: boolean;
  /** Why the last try did nothing, for the person to read. */
  refusal: string | null;
  dismiss: () => void;
  dialog: ReactNode;
};

const holderOf = ({ assignee, assignedAt }: KycRow): Holder | null =>
  assignee === null ? null : { ...assignee, since: assignedAt ?? "" };

export function useClaiming(): Claiming {
  const t = useTranslations("triage");
  const me = useStaffId();
  const { pending, failure, run } = useAction(claimCase);
  const [takingOver, setTakingOver] = useState<TakingOver | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);

  const refused = (subject: KycRow, goOn: GoOn) => (failed: Failure) => {
    // Somebody was quicker: what is asked now is whether to take it from them.
    if (failed.holder) setTakingOver({ subject, from: failed.holder, goOn });
    else setRefusal(failed.message);
  };

  const take = (subject: KycRow, takeFrom: string | null, goOn: GoOn) => {
    setRefusal(null);
    run(
      { kycUUID: subject.kycUUID, takeFrom },
      ({ assignedAt }) => {
        setTakingOver(null);
        goOn({ ...subject, assignee: { id: me, name: t("you") }, assignedAt });
      },
      refused(subject, goOn),
    );
  };

  const claim = (subject: KycRow, goOn: GoOn) => {
    const holder = holderOf(subject);
    if (holder?.id === me) goOn(subject);
    else if (holder === null) take(subject, null, goOn);
    else setTakingOver({ subject, from: holder, goOn });
  };

  return {
    claim,
    isPending: pending,
    refusal,
    dismiss: () => setRefusal(null),
    dialog:
      takingOver === null ? null : (
        <TakeOverDialog
          key={takingOver.from.id}
          document={takingOver.subject.vatNumber}
          from={takingOver.from}
          pending={pending}
          failure={failure?.holder?.id === takingOver.from.id ? null : failure}
          onAgree={() => take(takingOver.subject, takingOver.from.id, takingOver.goOn)}
          onClose={() => setTakingOver(null)}
        />
      ),
  };
}
