"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { FormEnd } from "@/app/form-end";
import { NewPasswordField } from "@/app/new-password-field";
import { TextField } from "@/components/ui/field";
import { useAction } from "@/components/use-action";
import { setPassword } from "@/lib/staff/actions";
import type { Accepted } from "@/lib/staff/rules";

type NewPasswordFormProps = { email: string; token: string; onDone: () => void };

export function NewPasswordForm({ email, token, onDone }: NewPasswordFormProps) {
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
