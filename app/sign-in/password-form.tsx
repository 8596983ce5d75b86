"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { signIn } from "@/lib/auth/view";
import type { DemoSignIn } from "@/lib/staff/queries";
import { OutcomeNotice } from "./outcome-notice";
import { useEntry } from "./use-entry";

type DemoPanelProps = { people: DemoSignIn[]; onChoose: (person: DemoSignIn) => void };

function DemoPanel({ people, onChoose }: DemoPanelProps) {
  const t = useTranslations();
  return (
    <section aria-labelledby="demo" className="mt-7 rounded border border-line bg-canvas p-3.5">
      <h2 id="demo" className="text-sm font-medium">
        {t("signIn.demoTitle")}
      </h2>
      <p className="mt-0.5 text-sm text-muted">{t("signIn.demoLead")}</p>
      <div className="mt-3 grid grid-cols-2 gap-1.5 sm:grid-cols-3">
        {people.map((person) => {
          const role = t(`roles.${person.role}`);
          return (
            <Button
              key={person.email}
              size="small"
              aria-label={person.isSecond ? t("signIn.fillSecond") : t("signIn.fill", { role })}
              onClick={() => onChoose(person)}
            >
              {person.isSecond ? t("signIn.second", { role }) : role}
            </Button>
          );
        })}
      </div>
    </section>
  );
}

type PasswordFormProps = {
  demo: DemoSignIn[];
  email: string;
  notice: string | null;
  onSecondStep: (hasPasskey: boolean) => void;
};

/** Both stay as typed when they are wrong. `notice`: why one is here again. */
export function PasswordForm({ demo, email, notice, onSecondStep }: PasswordFormProps) {
  const t = useTranslations("signIn");
  const submitButton = useRef<HTMLButtonElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState({ email, password: "" });
  const { outcome, isBusy, enter, clear } = useEntry();

  // The e-mail is known: only the password is left.
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
            // A tab whose person signs in again holds what they wrote.
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
