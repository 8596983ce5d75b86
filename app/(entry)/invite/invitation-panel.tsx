"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { type FormEvent, useEffect, useState } from "react";
import { Stage, FormEnd, NewPasswordField, useLink } from "@/app/(entry)/token-link-form";
import { useAction } from "@/components/session/use-action";
import { FailureText } from "@/components/layout/failure-text";
import { Button, buttonClass } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import type { Role } from "@/lib/permission/permission";
import { acceptInvitation, joinByInvitation, openInvitation } from "@/lib/staff/actions";
import type { Accepted, Welcome } from "@/lib/staff/inputs";

type JoinFormProps = { tenant: string; token: string; onDone: () => void };

function JoinForm({ tenant, token, onDone }: JoinFormProps) {
  const t = useTranslations("invite");
  const { pending, failure, run } = useAction(joinByInvitation);
  return (
    <>
      <div role="alert">
        {failure ? (
          <Notice tone="negative" className="mb-4">
            <FailureText failure={failure} />
          </Notice>
        ) : null}
      </div>
      <Button tone="primary" size="large" isBusy={pending} onClick={() => run({ token }, onDone)} className="w-full">
        {t("join", { tenant })}
      </Button>
    </>
  );
}

type PasswordFormProps = { welcome: Welcome; token: string; needsFactor: boolean; onDone: (email: string) => void };

function PasswordForm({ welcome, token, needsFactor, onDone }: PasswordFormProps) {
  const t = useTranslations("invite");
  const { pending, failure, run } = useAction(acceptInvitation);
  const [typed, setTyped] = useState({ name: welcome.name, password: "" });
  const [fault, setFault] = useState<Accepted["fault"]>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    run({ token, ...typed }, ({ fault: found, email }) => (found === null ? onDone(email) : setFault(found)));
  };

  return (
    <form method="post" noValidate onSubmit={submit} className="space-y-4">
      <TextField label={t("email")} type="email" name="email" autoComplete="username" readOnly value={welcome.email} />
      <TextField
        label={t("name")}
        name="name"
        autoComplete="name"
        value={typed.name}
        error={failure?.fields?.["name"]}
        onChange={(event) => setTyped({ ...typed, name: event.target.value })}
      />
      <NewPasswordField
        label={t("password")}
        value={typed.password}
        fault={fault}
        error={failure?.fields?.["password"]}
        onChange={(password) => setTyped({ ...typed, password })}
      />
      {needsFactor ? <Notice tone="info">{t("factorNote")}</Notice> : null}
      <FormEnd failure={failure} isBusy={pending}>
        {t("submit")}
      </FormEnd>
    </form>
  );
}

/** In another tab, so that this one keeps the token. */
function SignInFirst({ onBack }: { onBack: () => void }) {
  const t = useTranslations("invite");
  useEffect(() => {
    const reopen = () => {
      if (document.visibilityState === "visible") onBack();
    };
    document.addEventListener("visibilitychange", reopen);
    return () => document.removeEventListener("visibilitychange", reopen);
  }, [onBack]);
  return (
    <div className="flex flex-wrap gap-2">
      <a href="/sign-in" target="_blank" rel="noopener" className={buttonClass("primary", "large")}>
        {t("signIn")}
      </a>
      <Button size="large" onClick={onBack}>
        {t("again")}
      </Button>
    </div>
  );
}

/** Another link in the same tab starts over. */
type Done = { token: string } & ({ as: "new"; email: string } | { as: "member"; tenant: string });

export function InvitationPanel({ rolesWithFactor }: { rolesWithFactor: readonly Role[] }) {
  const t = useTranslations();
  const list = new Intl.ListFormat(useLocale());
  const { standing, reopen } = useLink(openInvitation);
  const [done, setDone] = useState<Done | null>(null);

  if (standing.step === "opening") return <output className="block text-muted">{t("invite.opening")}</output>;
  if (standing.step === "bare") return <Stage title={t("invite.goneTitle")} lead={t("invite.noToken")} />;
  if (standing.step === "gone") return <Gone />;
  if (standing.step === "failed") {
    return (
      <Stage title={t("invite.title")} lead={t("invite.failed")}>
        <Button onClick={reopen}>{t("common.retry")}</Button>
      </Stage>
    );
  }
  const { view: welcome, token } = standing;
  if (done?.token === token) return <Ended done={done} />;
  const { tenant, next } = welcome;
  const roles = list.format(welcome.roles.map((role) => t(`roles.${role}`)));
  if (next === "choose-password") {
    const needsFactor = welcome.roles.some((role) => rolesWithFactor.includes(role));
    return (
      <Stage title={t("invite.heading", { name: welcome.name, tenant })} lead={t("invite.lead", { roles })}>
        <PasswordForm
          welcome={welcome}
          token={token}
          needsFactor={needsFactor}
          onDone={(email) => setDone({ token, as: "new", email })}
        />
      </Stage>
    );
  }
  if (next === "sign-in") {
    return (
      <Stage
        title={t("invite.joinHeading", { tenant })}
        lead={welcome.isOtherPerson ? t("invite.signInOther") : t("invite.signInLead", { email: welcome.email })}
      >
        <SignInFirst onBack={reopen} />
      </Stage>
    );
  }
  return (
    <Stage title={t("invite.joinHeading", { tenant })} lead={t("invite.joinLead", { roles })}>
      <JoinForm tenant={tenant} token={token} onDone={() => setDone({ token, as: "member", tenant })} />
    </Stage>
  );
}

/** Most people who return to a used link need the sign-in. */
function Gone() {
  const t = useTranslations("invite");
  return (
    <Stage title={t("goneTitle")} lead={t("goneBody")}>
      <Link href="/sign-in" prefetch={false} className={buttonClass("plain", "large")}>
        {t("goSignIn")}
      </Link>
    </Stage>
  );
}

function Ended({ done }: { done: Done }) {
  const t = useTranslations("invite");
  return done.as === "new" ? (
    <Stage title={t("done")} lead={t("doneBody", { email: done.email })}>
      <Link href="/sign-in" prefetch={false} className={buttonClass("primary", "large")}>
        {t("goSignIn")}
      </Link>
    </Stage>
  ) : (
    <Stage title={t("joined", { tenant: done.tenant })} lead={t("joinedBody")}>
      <Link href="/" prefetch={false} className={buttonClass("primary", "large")}>
        {t("goHome")}
      </Link>
    </Stage>
  );
}
