"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useState } from "react";
import { Stage } from "@/app/stage";
import { useLink } from "@/app/use-link";
import { Button, buttonClass } from "@/components/ui/button";
import type { Role } from "@/lib/auth/permission";
import { openInvitation } from "@/lib/staff/actions";
import { JoinForm } from "./join-form";
import { PasswordForm } from "./password-form";
import { SignInFirst } from "./sign-in-first";

/** By which link it was done: another one in the same tab begins anew. */
type Done = { token: string } & ({ as: "new"; email: string } | { as: "member"; tenant: string });

/** From the opened link to an account, or to one more tenant for an account that there is. */
export function InvitationPanel({ rolesWithFactor }: { rolesWithFactor: readonly Role[] }) {
  const t = useTranslations();
  const list = new Intl.ListFormat(useLocale());
  const { standing, look } = useLink(openInvitation);
  const [done, setDone] = useState<Done | null>(null);

  if (standing.step === "opening") return <output className="block text-muted">{t("invite.opening")}</output>;
  if (standing.step === "bare") return <Stage title={t("invite.goneTitle")} lead={t("invite.noToken")} />;
  if (standing.step === "gone") return <Gone />;
  if (standing.step === "failed") {
    return (
      <Stage title={t("invite.title")} lead={t("invite.failed")}>
        <Button onClick={look}>{t("common.retry")}</Button>
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
        <SignInFirst onBack={look} />
      </Stage>
    );
  }
  return (
    <Stage title={t("invite.joinHeading", { tenant })} lead={t("invite.joinLead", { roles })}>
      <JoinForm tenant={tenant} token={token} onDone={() => setDone({ token, as: "member", tenant })} />
    </Stage>
  );
}

/** Most who come back to a link have used it: they need the way in, not a new link. */
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
