"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FailureText } from "@/components/layout/failure-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/form/use-action";
import type { Action } from "@/lib/action";
import type { Enrolment } from "@/lib/auth/view";
import { renewRecoveryCodes } from "@/lib/auth/actions";
import { FirstCode } from "./first-code";
import { RecoveryCodes } from "./recovery-codes";

type EnrolmentStepsProps = {
  start: Action<null, Enrolment>;
  leavings?: number;
  onCodes?: () => void;
  onDone: () => void;
};

export function EnrolmentSteps({ start, leavings = 0, onCodes, onDone }: EnrolmentStepsProps) {
  const t = useTranslations("factors");
  const [shown, setShown] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isConfirmed, setConfirmed] = useState(false);
  const beginning = useAction(start);
  const making = useAction(renewRecoveryCodes);
  const failure = beginning.failure ?? making.failure;

  const begin = () => beginning.run(null, setShown);
  const make = () =>
    making.run(null, (made) => {
      setCodes(made);
      onCodes?.();
    });
  const confirm = () => {
    setConfirmed(true);
    make();
  };

  const step = () => {
    if (codes !== null) return <RecoveryCodes codes={codes} leavings={leavings} onKept={onDone} />;
    if (isConfirmed) {
      return (
        <Button tone="primary" size="large" className="w-full" isBusy={making.pending} onClick={make}>
          {making.pending ? t("makingCodes") : t("makeCodes")}
        </Button>
      );
    }
    if (shown !== null) return <FirstCode shown={shown} onConfirmed={confirm} onExpired={() => setShown(null)} />;
    return (
      <>
        <ol className="list-decimal space-y-2 ps-5 text-sm text-muted marker:text-faint">
          <li>{t("stepApp")}</li>
          <li>{t("stepScan")}</li>
          <li>{t("stepCodes")}</li>
        </ol>
        <Button tone="primary" size="large" className="w-full" isBusy={beginning.pending} onClick={begin}>
          {t("begin")}
        </Button>
      </>
    );
  };

  return (
    <div className="space-y-5">
      {step()}
      <div role="alert" className="empty:hidden">
        {failure === null ? null : (
          <Notice tone="negative">
            <FailureText failure={failure} />
          </Notice>
        )}
      </div>
    </div>
  );
}
