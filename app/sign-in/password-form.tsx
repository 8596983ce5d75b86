"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { signIn } from "@/lib/sign-in";
import type { DemoSignIn } from "@/lib/staff/queries";
import { DemoPanel } from "./demo-panel";
import { OutcomeNotice } from "./outcome-notice";
import { useEntry } from "./use-entry";

type PasswordFormProps = {
  demo: DemoSignIn[];
  email: string;
  notice: string | null;
  onSecondStep: (hasPasskey: boolean) => void;
};

/** E-mail and password stay as typed when they are wrong. `notice` says why one is here again. */
export function PasswordForm({ demo, email, notice, onSecondStep }: PasswordFormProps) {
  const t = useTranslations("signIn");
  const submitButton = useRef<HTMLButtonElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState({ email, password: "" });
  const { outcome, isBusy, enter, clear } = useEntry();

  // Who they are is known already: only the password is left to type.
  useEffect(() => {
    if (email !== "") password.current?.focus();
  }, [email]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void enter(
      () => signIn(typed.email, typed.password),
      ({ kind }) => {
        if (kind === "second-step" || kind === "passkey-step") onSecondStep(kind === "passkey-step");
      },
    );
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
          ref={password}
          label={t("password")}
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={typed.password}
          onChange={(event) => setTyped({ ...typed, password: event.target.value })}
        />
        <OutcomeNotice outcome={outcome} wrong={t("wrong")} />
        {outcome === null && notice !== null ? <Notice tone="warning">{notice}</Notice> : null}
        <Button ref={submitButton} type="submit" tone="primary" size="large" isBusy={isBusy} className="w-full">
          {isBusy ? t("submitting") : t("submit")}
        </Button>
        <p className="text-center text-sm">
          <Link
            href="/password"
            prefetch={false}
            // A tab whose person signs in once more holds what they wrote.
            {...(email !== "" && { target: "_blank", rel: "noopener" })}
            className="text-accent hover:underline"
          >
            {t("forgotten")}
          </Link>
        </p>
      </form>
      {demo.length > 0 ? (
        <DemoPanel
          people={demo}
          onChoose={(person) => {
            setTyped({ email: person.email, password: person.password });
            clear();
            submitButton.current?.focus();
          }}
        />
      ) : null}
    </>
  );
}
