"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { type FormEvent, useState } from "react";
import { FormEnd } from "@/app/form-end";
import { buttonClass } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { useAction } from "@/components/use-action";
import { forgotPassword } from "@/lib/staff/actions";
import type { LinkRequest } from "@/lib/staff/rules";

const MINUTE_MS = 60_000;

/** Asks for the link; what it answers does not tell whether the address is anybody's. */
export function AskForm({ onAsked }: { onAsked: (email: string) => void }) {
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
      <Link href="/sign-in" prefetch={false} className={`${buttonClass("quiet", "large")} w-full`}>
        {t("goSignIn")}
      </Link>
    </form>
  );
}
