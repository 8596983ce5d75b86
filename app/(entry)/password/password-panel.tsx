"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { type FormEvent, useState } from "react";
import { Stage, FormEnd, NewPasswordField, useLink } from "@/app/(entry)/token-link-form";
import { useAction } from "@/components/session/use-action";
import { Button, buttonClass } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { forgotPassword, openPasswordLink, setPassword } from "@/lib/staff/actions";
import type { Accepted, LinkRequest } from "@/lib/staff/inputs";

const MINUTE_MS = 60_000;

type AskFormProps = { isSignedIn: boolean; onAsked: (email: string) => void };

/** The answer does not reveal whether the account exists. */
function AskForm({ isSignedIn, onAsked }: AskFormProps) {
  const t = useTranslations("password");
  const { pending, failure, run } = useAction(forgotPassword);
  const [email, setEmail] = useState("");
  const [outcome, setOutcome] = useState<LinkRequest | null>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    run({ email }, (asked) => (asked === "asked" ? onAsked(email.trim()) : setOutcome(asked)));
  };
  const refusal =
    typeof outcome === "object" && outcome !== null
      ? t("wait", { minutes: Math.ceil(outcome.waitMs / MINUTE_MS) })
      : outcome === "off"
        ? t("noMail")
        : null;

  return (
    <form method="post" noValidate onSubmit={submit} className="space-y-4">
      <TextField
        label={t("email")}
        type="email"
        name="email"
        autoComplete="username"
        required
        value={email}
        error={failure?.fields?.["email"]}
        onChange={(event) => setEmail(event.target.value)}
      />
      <FormEnd failure={failure} refusal={refusal} isBusy={pending}>
        {t("ask")}
      </FormEnd>
      {isSignedIn ? null : (
        <Link href="/sign-in" prefetch={false} className={`${buttonClass("quiet", "large")} w-full`}>
          {t("goSignIn")}
        </Link>
      )}
    </form>
  );
}

type NewPasswordFormProps = { email: string; token: string; onDone: () => void };

function NewPasswordForm({ email, token, onDone }: NewPasswordFormProps) {
  const t = useTranslations();
  const { pending, failure, run } = useAction(setPassword);
  const [password, setTyped] = useState("");
  const [fault, setFault] = useState<Accepted["fault"]>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    run({ token, password }, (found) => (found === null ? onDone() : setFault(found)));
  };

  return (
    <form method="post" noValidate onSubmit={submit} className="space-y-4">
      <TextField label={t("password.email")} type="email" name="email" autoComplete="username" readOnly value={email} />
      <NewPasswordField
        label={t("password.new")}
        value={password}
        fault={fault}
        error={failure?.fields?.["password"]}
        onChange={setTyped}
      />
      <FormEnd failure={failure} isBusy={pending}>
        {t("password.submit")}
      </FormEnd>
    </form>
  );
}

type PasswordPanelProps = { sendsMail: boolean; isSignedIn: boolean };

export function PasswordPanel({ sendsMail, isSignedIn }: PasswordPanelProps) {
  const t = useTranslations();
  const { standing, reopen, leave } = useLink(openPasswordLink);
  // Another link in the same tab starts over.
  const [doneBy, setDoneBy] = useState<string | null>(null);
  if (standing.step === "opening") return <output className="block text-muted">{t("password.opening")}</output>;
  if (standing.step === "bare")
    return sendsMail ? <Asking isSignedIn={isSignedIn} /> : <NoMail isSignedIn={isSignedIn} />;
  if (standing.step === "gone") {
    return (
      <Stage title={t("password.goneTitle")} lead={t("password.goneBody")}>
        <Button size="large" onClick={leave}>
          {t("password.askAnew")}
        </Button>
      </Stage>
    );
  }
  if (standing.step === "failed") {
    return (
      <Stage title={t("password.title")} lead={t("password.failed")}>
        <Button onClick={reopen}>{t("common.retry")}</Button>
      </Stage>
    );
  }
  const { view, token } = standing;
  if (doneBy === token) {
    return (
      <Stage title={t("password.done")} lead={t("password.doneBody")}>
        <GoSignIn tone="primary" />
      </Stage>
    );
  }
  return (
    <Stage title={t("password.heading")} lead={t("password.lead")}>
      <NewPasswordForm key={token} email={view.email} token={token} onDone={() => setDoneBy(token)} />
    </Stage>
  );
}

function Asking({ isSignedIn }: Pick<PasswordPanelProps, "isSignedIn">) {
  const t = useTranslations("password");
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo === null) {
    return (
      <Stage title={t("title")} lead={t("askLead")}>
        <AskForm isSignedIn={isSignedIn} onAsked={setSentTo} />
      </Stage>
    );
  }
  return (
    <Stage title={t("asked")} lead={t("askedBody", { email: sentTo })}>
      <p className="mb-6 text-sm text-muted">{t("askedNote")}</p>
      <div className="flex flex-wrap gap-2">
        {isSignedIn ? null : <GoSignIn tone="plain" />}
        <Button tone="quiet" size="large" onClick={() => setSentTo(null)}>
          {t("askAgain")}
        </Button>
      </div>
    </Stage>
  );
}

function NoMail({ isSignedIn }: Pick<PasswordPanelProps, "isSignedIn">) {
  const t = useTranslations("password");
  return (
    <Stage title={t("title")} lead={t("noMail")}>
      {isSignedIn ? null : <GoSignIn tone="plain" />}
    </Stage>
  );
}

function GoSignIn({ tone }: { tone: "primary" | "plain" }) {
  const t = useTranslations("password");
  return (
    <Link href="/sign-in" prefetch={false} className={buttonClass(tone, "large")}>
      {t("goSignIn")}
    </Link>
  );
}
