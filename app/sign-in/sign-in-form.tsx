"use client";

import { Building2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { singleSignOnAddress } from "@/lib/auth/view";
import type { DemoSignIn } from "@/lib/staff/queries";
import { CodeForm } from "./code-form";
import { PasswordForm } from "./password-form";

type SingleSignOnButtonProps = {
  /** This tab holds unsaved text: the way leads through another one. */
  isTabKept: boolean;
};

export function SingleSignOnButton({ isTabKept }: SingleSignOnButtonProps) {
  const t = useTranslations("signIn");
  const [state, setState] = useState<"idle" | "leaving" | "unreachable">("idle");
  const leave = async () => {
    if (state === "leaving") return;
    setState("leaving");
    // Opened at the click itself: later it would be taken for a pop-up.
    const other = isTabKept ? window.open("about:blank", "_blank") : null;
    if (other !== null) other.opener = null;
    const address = await singleSignOnAddress();
    if (address === null) {
      other?.close();
      return setState("unreachable");
    }
    (other ?? window).location.assign(address);
    if (other !== null) setState("idle");
  };
  return (
    <div className="mb-5">
      <Button size="large" isBusy={state === "leaving"} className="w-full" onClick={() => void leave()}>
        <Building2 aria-hidden size={16} />
        {t("singleSignOn")}
      </Button>
      {isTabKept ? <p className="mt-1.5 text-sm text-muted">{t("singleSignOnKeeps")}</p> : null}
      <div role="alert" className="mt-3 empty:hidden">
        {state === "unreachable" ? <Notice tone="negative">{t("sso-failed")}</Notice> : null}
      </div>
      <p className="mt-5 flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t("or")}
      </p>
    </div>
  );
}

type SignInFormProps = {
  demo: DemoSignIn[];
  /** The first step was right already: a reload does not ask for the password again. */
  secondStep: "code" | "passkey" | null;
  hasSingleSignOn: boolean;
  notice: string | null;
  again?: string;
};

export function SignInForm({ demo, secondStep, hasSingleSignOn, notice, again }: SignInFormProps) {
  const t = useTranslations("signIn");
  const [step, setStep] = useState<"password" | "code" | "passkey" | "expired">(secondStep ?? "password");
  const isSecond = step === "code" || step === "passkey";
  return (
    <>
      {again === undefined ? (
        <h1 className="mb-5 text-xl font-semibold">{isSecond ? t("codeTitle") : t("title")}</h1>
      ) : null}
      {isSecond ? (
        <CodeForm
          hasPasskey={step === "passkey"}
          onExpired={() => setStep("expired")}
          onBack={() => setStep("password")}
        />
      ) : (
        <>
          {hasSingleSignOn ? <SingleSignOnButton isTabKept={again !== undefined} /> : null}
          <PasswordForm
            demo={demo}
            email={again ?? ""}
            notice={step === "expired" ? t("expired") : notice}
            onSecondStep={(hasPasskey) => setStep(hasPasskey ? "passkey" : "code")}
          />
        </>
      )}
    </>
  );
}
