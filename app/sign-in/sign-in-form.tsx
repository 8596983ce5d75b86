"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { signIn, type SignInOutcome } from "@/lib/sign-in";
import type { DemoSignIn } from "@/lib/staff/queries";
import { DemoPanel } from "./demo-panel";

const SENTENCES = { wrong: "wrong", "too-many": "tooMany", failed: "failed" } as const;

/** E-mail and password stay as typed when they are wrong. */
export function SignInForm({ demo }: { demo: DemoSignIn[] }) {
  const t = useTranslations("signIn");
  const submitButton = useRef<HTMLButtonElement>(null);
  const [typed, setTyped] = useState({ email: "", password: "" });
  const [outcome, setOutcome] = useState<SignInOutcome | "sending" | null>(null);
  const isBusy = outcome === "sending" || outcome === "done";

  const send = async () => {
    setOutcome("sending");
    const answer = await signIn(typed.email, typed.password);
    setOutcome(answer);
    // A whole page load: nothing read before the session began may stay in sight.
    if (answer === "done") window.location.assign("/");
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) void send();
  };

  return (
    <>
      <form method="post" onSubmit={submit} className="space-y-4">
        <TextField
          label={t("email")}
          type="email"
          name="email"
          autoComplete="username"
          required
          value={typed.email}
          onChange={(event) => setTyped({ ...typed, email: event.target.value })}
        />
        <TextField
          label={t("password")}
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={typed.password}
          onChange={(event) => setTyped({ ...typed, password: event.target.value })}
        />
        <div role="alert">
          {outcome === null || outcome === "sending" || outcome === "done" ? null : (
            <Notice tone="negative">{t(SENTENCES[outcome])}</Notice>
          )}
        </div>
        <Button ref={submitButton} type="submit" tone="primary" size="large" isBusy={isBusy} className="w-full">
          {isBusy ? t("submitting") : t("submit")}
        </Button>
      </form>
      {demo.length > 0 ? (
        <DemoPanel
          people={demo}
          onChoose={({ email, password }) => {
            setTyped({ email, password });
            setOutcome(null);
            submitButton.current?.focus();
          }}
        />
      ) : null}
    </>
  );
}
