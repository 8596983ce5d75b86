"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { DemoSignIn } from "@/lib/staff/queries";
import { CodeForm } from "./code-form";
import { PasswordForm } from "./password-form";
import { SingleSignOnButton } from "./single-sign-on-button";

type SignInFormProps = {
  demo: DemoSignIn[];
  /** The first step was right already: a reload does not ask for the password again. */
  secondStep: "code" | "passkey" | null;
  /** The company's own sign-in is there, too. */
  hasSingleSignOn: boolean;
  /** Why one is here again, in words. */
  notice: string | null;
  /** Whose tab it is that asks once more, under a title of its own. */
  again?: string;
};

/** One step at a time: the password or the company's sign-in, then the code, or passkey, of whoever has a second factor. */
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
