"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { FailureText } from "@/components/failure-text";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/use-action";
import { setPassword } from "@/lib/staff/actions";
import type { Accepted } from "@/lib/staff/rules";

type NewPasswordFormProps = { email: string; token: string; onDone: () => void };

export function NewPasswordForm({ email, token, onDone }: NewPasswordFormProps) {
  const t = useTranslations();
  const { pending, failure, run } = useAction(setPassword);
  const [password, setTyped] = useState("");
  const [fault, setFault] = useState<Accepted["fault"]>(null);
  const [isShown, setShown] = useState(false);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    run({ token, password }, (found) => (found === null ? onDone() : setFault(found)));
  };

  return (
    <form method="post" noValidate onSubmit={submit} className="space-y-4">
      <TextField label={t("password.email")} type="email" name="email" autoComplete="username" readOnly value={email} />
      <TextField
        label={t("password.new")}
        hint={t("invite.passwordHint")}
        type={isShown ? "text" : "password"}
        name="password"
        autoComplete="new-password"
        value={password}
        error={fault === null ? failure?.fields?.["password"] : t(`invite.faults.${fault}`)}
        onChange={(event) => setTyped(event.target.value)}
      />
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={isShown}
          onChange={(event) => setShown(event.target.checked)}
          className="size-3.5 accent-accent"
        />
        {t("invite.show")}
      </label>
      <div role="alert">
        {failure && failure.kind !== "invalid" ? (
          <Notice tone="negative">
            <FailureText failure={failure} />
          </Notice>
        ) : null}
      </div>
      <Button type="submit" tone="primary" size="large" isBusy={pending} className="w-full">
        {t("password.submit")}
      </Button>
    </form>
  );
}
