"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { askPasskeyAtStep } from "@/lib/auth/actions";
import { signInByCode, signInByPasskey } from "@/lib/auth/view";
import { OutcomeNotice } from "./outcome-notice";
import { useEntry } from "./use-entry";

type CodeFormProps = { hasPasskey: boolean; onExpired: () => void; onBack: () => void };

export function CodeForm({ hasPasskey, onExpired, onBack }: CodeFormProps) {
  const t = useTranslations("signIn");
  const [typed, setTyped] = useState("");
  const [isRecovery, setRecovery] = useState(false);
  const { outcome, isBusy, enter, clear } = useEntry();
  const input = useRef<HTMLInputElement>(null);

  // The previous step left the focus on a field that is gone.
  useEffect(() => input.current?.focus(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void enter(
      () => signInByCode(typed),
      ({ kind }) => {
        if (kind === "expired") onExpired();
        else setTyped("");
      },
    );
  };
  const usePasskey = () =>
    void enter(
      () => signInByPasskey(askPasskeyAtStep),
      ({ kind }) => kind === "expired" && onExpired(),
    );
  const change = () => {
    setRecovery(!isRecovery);
    setTyped("");
    clear();
    input.current?.focus();
  };

  const field = isRecovery
    ? { label: t("recoveryCode"), hint: t("recoveryHint"), autoComplete: "off", autoCapitalize: "off" }
    : { label: t("code"), hint: t("codeHint"), autoComplete: "one-time-code", inputMode: "numeric" as const };

  return (
    <form method="post" onSubmit={submit} className="space-y-4">
      <TextField
        {...field}
        name="code"
        required
        ref={input}
        spellCheck={false}
        maxLength={32}
        className={isRecovery ? "font-mono" : "font-mono text-lg tracking-[0.25em]"}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <OutcomeNotice outcome={outcome} wrong={t("wrongCode")} />
      <Button type="submit" tone="primary" size="large" isBusy={isBusy} className="w-full">
        {isBusy ? t("submitting") : t("confirmCode")}
      </Button>
      {hasPasskey ? (
        <Button size="large" className="w-full" onClick={usePasskey}>
          {t("usePasskey")}
        </Button>
      ) : null}
      <div className="flex flex-wrap justify-between gap-2">
        <Button tone="quiet" size="small" onClick={change}>
          {isRecovery ? t("useApp") : t("useRecovery")}
        </Button>
        <Button tone="quiet" size="small" onClick={onBack}>
          {t("back")}
        </Button>
      </div>
    </form>
  );
}
