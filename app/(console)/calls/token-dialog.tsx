"use client";

import { useLocale, useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useState } from "react";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { FailureNotice } from "@/components/layout/failure-text";
import { ProviderText } from "@/components/layout/provider-text";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { Status } from "@/components/ui/status";
import { checkAccessToken, revokeAccessToken } from "@/lib/calls/actions";
import type { OwnToken } from "@/lib/calls/view";
import { formatDateTime, formatTime } from "@/lib/text/format";

type Step = "state" | "asking" | "revoked" | "nothing-held";

export function TokenDialog({ onClose }: { onClose: () => void }) {
  const [step, setStep] = useState<Step>("state");
  const [token, setToken] = useState<OwnToken | null>(null);
  const back = () => setStep("state");
  const end = ({ wasHeld }: { wasHeld: boolean }) => {
    setToken(null);
    setStep(wasHeld ? "revoked" : "nothing-held");
  };
  if (step === "asking") return <RevokeDialog onRevoked={end} onClose={back} />;
  return (
    <StateDialog step={step} token={token} onRead={setToken} onRevoke={() => setStep("asking")} onClose={onClose} />
  );
}

function RevokeDialog({
  onRevoked,
  onClose,
}: {
  onRevoked: (done: { wasHeld: boolean }) => void;
  onClose: () => void;
}) {
  const t = useTranslations("calls.token");
  const { pending, failure, run } = useAction(revokeAccessToken);
  return (
    <FormDialog
      title={t("revokeTitle")}
      description={t("revokeBody")}
      submitLabel={t("revoke")}
      tone="negative"
      slow="slow"
      pending={pending}
      error={failure}
      isWritten={false}
      onSubmit={() => run(null, onRevoked)}
      onClose={onClose}
    >
      {null}
    </FormDialog>
  );
}

type StateDialogProps = {
  step: Step;
  token: OwnToken | null;
  onRead: (token: OwnToken) => void;
  onRevoke: () => void;
  onClose: () => void;
};

function StateDialog({ step, token, onRead, onRevoke, onClose }: StateDialogProps) {
  const t = useTranslations();
  const { pending, failure, run } = useAction(checkAccessToken);
  const check = () => run(null, onRead);
  const checkFirst = useEffectEvent(() => {
    if (step === "state" && token === null) check();
  });
  useEffect(() => checkFirst(), []);
  return (
    <Dialog
      title={t("calls.token.title")}
      description={t("calls.token.body")}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      <div className="space-y-3 px-5 pb-4 empty:hidden">
        {step === "revoked" ? <Notice tone="positive">{t("calls.token.revoked")}</Notice> : null}
        {step === "nothing-held" ? <Notice tone="info">{t("calls.token.nothingHeld")}</Notice> : null}
        <FailureNotice failure={failure} />
      </div>
      {token === null || failure !== null ? null : <TokenFacts token={token} />}
      <footer className="sticky bottom-0 flex justify-end gap-2 border-t border-line bg-raised px-5 py-3">
        <Button tone="negative" onClick={onRevoke} disabled={token === null || token.state === "none"}>
          {t("calls.token.revokeOpen")}
        </Button>
        <Button tone="primary" isBusy={pending} onClick={check}>
          {t("calls.token.check")}
        </Button>
      </footer>
    </Dialog>
  );
}

function TokenFacts({ token: { state, reason, asOf, clientId, issuedAt, expiresAt, scope } }: { token: OwnToken }) {
  const t = useTranslations("calls.token");
  const locale = useLocale();
  const facts = [
    { name: "reason", text: reason },
    { name: "clientId", text: clientId },
    { name: "issuedAt", text: formatDateTime(issuedAt, locale) },
    { name: "expiresAt", text: formatDateTime(expiresAt, locale) },
    { name: "scope", text: scope },
  ] as const;
  return (
    <DescriptionList>
      <Described name={t("state")}>
        <Status tone={state === "active" ? "positive" : "neutral"} progress="settled">
          {t(`states.${state}`)}
        </Status>
        <span className="text-muted">{t("readAt", { time: formatTime(asOf, locale) })}</span>
      </Described>
      {facts.map(({ name, text }) =>
        text === "" ? null : (
          <Described key={name} name={t(name)}>
            <ProviderText text={text} />
          </Described>
        ),
      )}
    </DescriptionList>
  );
}
