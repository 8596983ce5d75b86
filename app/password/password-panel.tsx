"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { useState } from "react";
import { Stage } from "@/app/stage";
import { useLink } from "@/app/use-link";
import { Button, buttonClass } from "@/components/ui/button";
import { openPasswordLink } from "@/lib/staff/actions";
import { AskForm } from "./ask-form";
import { NewPasswordForm } from "./new-password-form";

/** From a forgotten password to a new one. */
export function PasswordPanel({ sendsMail }: { sendsMail: boolean }) {
  const t = useTranslations();
  const { standing, look, leave } = useLink(openPasswordLink);
  // By which link it was done: another one in the same tab begins anew.
  const [doneBy, setDoneBy] = useState<string | null>(null);
  if (standing.step === "opening") return <output className="block text-muted">{t("password.opening")}</output>;
  if (standing.step === "bare") return sendsMail ? <Asking /> : <NoMail />;
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
        <Button onClick={look}>{t("common.retry")}</Button>
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

function Asking() {
  const t = useTranslations("password");
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo === null) {
    return (
      <Stage title={t("title")} lead={t("askLead")}>
        <AskForm onAsked={setSentTo} />
      </Stage>
    );
  }
  return (
    <Stage title={t("asked")} lead={t("askedBody", { email: sentTo })}>
      <p className="mb-6 text-sm text-muted">{t("askedNote")}</p>
      <div className="flex flex-wrap gap-2">
        <GoSignIn tone="plain" />
        <Button tone="quiet" size="large" onClick={() => setSentTo(null)}>
          {t("askAgain")}
        </Button>
      </div>
    </Stage>
  );
}

function NoMail() {
  const t = useTranslations("password");
  return (
    <Stage title={t("title")} lead={t("noMail")}>
      <GoSignIn tone="plain" />
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
