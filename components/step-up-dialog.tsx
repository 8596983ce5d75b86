"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Action } from "@/lib/action";
import type { ProofOutcome, ProofWay } from "@/lib/proof";
import type { ActionResult } from "@/lib/result";
import { useDesk } from "./desk";
import { Button, buttonClass } from "./ui/button";
import { Dialog } from "./ui/dialog";
import { TextField } from "./ui/field";
import { Notice } from "./ui/notice";
import { useRead } from "./use-read";

type Way = ProofWay | "none" | "unread";

/** By what this person proves themselves; null until that is known. */
function useProofWay(): Way | null {
  const read = useRead();
  const [way, setWay] = useState<Way | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    read<{ proofWay: ProofWay | null }>("/api/session", gone.signal).then(
      ({ proofWay }) => setWay(proofWay ?? "none"),
      () => gone.signal.aborted || setWay("unread"),
    );
    return () => gone.abort();
  }, [read]);
  return way;
}

function useSentence() {
  const t = useTranslations();
  return (result: ActionResult<ProofOutcome>): string => {
    if (!result.ok) return result.error.message;
    if (typeof result.data !== "object") return t("stepUp.none");
    const seconds = Math.ceil(result.data.waitMs / 1000);
    return seconds > 90 ? t("stepUp.waitMinutes", { minutes: Math.ceil(seconds / 60) }) : t("stepUp.wait", { seconds });
  };
}

type StepUpDialogProps = { prove: Action<string, ProofOutcome>; onSettled: (isProven: boolean) => void };

/** Asks for the password, or for a code of whoever has a second factor; what asked for it goes on by itself. */
export function StepUpDialog({ prove, onSettled }: StepUpDialogProps) {
  const t = useTranslations("stepUp");
  const common = useTranslations("common");
  const way = useProofWay();
  return (
    <Dialog
      isAbove
      title={t("title")}
      description={t("description")}
      closeLabel={common("close")}
      onClose={() => onSettled(false)}
    >
      {way === "none" ? <SetUpFirst /> : <ProofForm key={way} way={way} prove={prove} onSettled={onSettled} />}
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

type ProofFormProps = StepUpDialogProps & { way: Exclude<Way, "none"> | null };

function ProofForm({ way, prove, onSettled }: ProofFormProps) {
  const t = useTranslations();
  const say = useSentence();
  const desk = useDesk();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const [trouble, setTrouble] = useState<string | null>(way === "unread" ? t("states.connectionLost") : null);
  const isCode = way === "totp";
  useEffect(() => input.current?.focus(), []);

  const send = async (typed: string) => {
    setBusy(true);
    setWrong(undefined);
    const [answer] = await Promise.allSettled([prove(typed, desk.id)]);
    setBusy(false);
    if (answer.status === "rejected") return setTrouble(t("states.connectionLost"));
    const result = answer.value;
    if (!result.ok || result.data === "done") desk.look();
    if (result.ok && result.data === "done") return onSettled(true);
    const isWrong = result.ok && result.data === "wrong";
    setTrouble(isWrong ? null : say(result));
    if (isWrong) setWrong(t(isCode ? "stepUp.wrongCode" : "stepUp.wrongPassword"));
    input.current?.select();
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
