"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Action } from "@/lib/action";
import { answerPasskey, type PasskeyRequest } from "@/lib/security/passkey-browser";
import type { ProofInput, ProofResult, ProofWay } from "@/lib/auth/view";
import type { ActionResult } from "@/lib/errors/result";
import { lostAnswer } from "./lost-answer";
import { useScope } from "./scope";
import { Button, buttonClass } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useRead } from "./use-read";

type Way = ProofWay | "none" | "unread";

type Ways = { way: Way | null; hasPasskey: boolean };

/** `way` is null until known. */
function useProofWays(): Ways {
  const read = useRead();
  const [ways, setWays] = useState<Ways>({ way: null, hasPasskey: false });
  useEffect(() => {
    const gone = new AbortController();
    read<{ proofWay: ProofWay | null; hasPasskey: boolean }>("/api/session", gone.signal).then(
      ({ proofWay, hasPasskey }) => setWays({ way: proofWay ?? "none", hasPasskey }),
      () => gone.signal.aborted || setWays({ way: "unread", hasPasskey: false }),
    );
    return () => gone.abort();
  }, [read]);
  return ways;
}

function useSentence() {
  const t = useTranslations();
  return (result: ActionResult<ProofResult>): string => {
    if (!result.ok) return result.error.message;
    if (typeof result.data !== "object") return t("stepUp.none");
    const seconds = Math.ceil(result.data.waitMs / 1000);
    return seconds > 90 ? t("stepUp.waitMinutes", { minutes: Math.ceil(seconds / 60) }) : t("stepUp.wait", { seconds });
  };
}

type StepUpDialogProps = {
  prove: Action<ProofInput, ProofResult>;
  askPasskey: Action<null, PasskeyRequest | null>;
  onSettled: (isProven: boolean) => void;
};

export function StepUpDialog({ prove, askPasskey, onSettled }: StepUpDialogProps) {
  const t = useTranslations("stepUp");
  const common = useTranslations("common");
  const { way, hasPasskey } = useProofWays();
  return (
    <Dialog
      isAbove
      title={t("title")}
      description={t("description")}
      closeLabel={common("close")}
      onClose={() => onSettled(false)}
    >
      {way === "none" ? (
        <SetUpFirst />
      ) : (
        <ProofForm
          key={way}
          way={way}
          prove={prove}
          askPasskey={hasPasskey ? askPasskey : null}
          onSettled={onSettled}
        />
      )}
    </Dialog>
  );
}

function SetUpFirst() {
  const t = useTranslations("stepUp");
  return (
    <div className="space-y-4 px-5 pb-5">
      <Notice tone="warning">{t("none")}</Notice>
      <Link href="/security" prefetch={false} className={buttonClass("primary")}>
        {t("setUp")}
      </Link>
    </div>
  );
}

type ProofFormProps = Omit<StepUpDialogProps, "askPasskey"> & {
  way: Exclude<Way, "none"> | null;
  askPasskey: StepUpDialogProps["askPasskey"] | null;
};

function ProofForm({ way, prove, askPasskey, onSettled }: ProofFormProps) {
  const t = useTranslations();
  const states = useTranslations("states");
  const say = useSentence();
  const scope = useScope();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const [trouble, setTrouble] = useState<string | null>(way === "unread" ? t("states.connectionLost") : null);
  const isCode = way === "totp";
  useEffect(() => input.current?.focus(), []);

  const lost = (error: unknown) => ({ ok: false, error: lostAnswer(error, states) }) as const;
  const send = async (given: ProofInput) => {
    setBusy(true);
    setWrong(undefined);
    const result = await prove(given, scope.id).catch(lost);
    setBusy(false);
    if (!result.ok || result.data === "done") scope.revalidate();
    if (result.ok && result.data === "done") return onSettled(true);
    const isWrong = result.ok && result.data === "wrong";
    if (isWrong && typeof given !== "string") return setTrouble(t("stepUp.wrongPasskey"));
    setTrouble(isWrong ? null : say(result));
    if (isWrong) setWrong(t(isCode ? "stepUp.wrongCode" : "stepUp.wrongPassword"));
    input.current?.select();
  };
  const usePasskey = async (ask: StepUpDialogProps["askPasskey"]) => {
    setBusy(true);
    setWrong(undefined);
    const asked = await ask(null, scope.id).catch(lost);
    const request = asked.ok ? asked.data : null;
    const answer = request === null ? null : await answerPasskey(request);
    if (answer !== null) return send(answer);
    setBusy(false);
    if (!asked.ok) return setTrouble(asked.error.message);
    setTrouble(t(request === null ? "states.connectionLost" : "stepUp.passkeyUnanswered"));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = input.current?.value ?? "";
    if (!isBusy && way !== null && way !== "unread" && typed !== "") void send(typed);
  };
  const field = isCode
    ? {
        label: t("stepUp.code"),
        hint: t("stepUp.codeHint"),
        autoComplete: "one-time-code",
        inputMode: "numeric" as const,
      }
    : { label: t("stepUp.password"), type: "password", autoComplete: "current-password" };

  return (
    <form method="post" noValidate onSubmit={submit} aria-busy={way === null}>
      <div className="space-y-4 px-5 pb-5">
        <TextField
          ref={input}
          {...field}
          name="proof"
          error={wrong}
          spellCheck={false}

          disabled={way === null}
        />
        {askPasskey === null ? null : (
          <Button onClick={() => isBusy || void usePasskey(askPasskey)}>{t("stepUp.usePasskey")}</Button>
        )}
        <div aria-live="assertive">{trouble === null ? null : <Notice tone="negative">{trouble}</Notice>}</div>
      </div>
      <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
        <Button onClick={() => onSettled(false)}>{t("common.cancel")}</Button>
        <Button type="submit" tone="primary" isBusy={isBusy || way === null}>
          {isBusy ? t("common.inProgress") : t("stepUp.confirm")}
        </Button>
      </footer>
    </form>
  );
}
