"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { FormEnd } from "@/app/form-end";
import { NewPasswordField } from "@/app/new-password-field";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/use-action";
import { acceptInvitation } from "@/lib/staff/actions";
import type { Accepted, Welcome } from "@/lib/staff/rules";

type PasswordFormProps = { welcome: Welcome; token: string; needsFactor: boolean; onDone: (email: string) => void };

export function PasswordForm({ welcome, token, needsFactor, onDone }: PasswordFormProps) {
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
