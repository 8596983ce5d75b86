import { useTranslations } from "next-intl";
import type { RefObject } from "react";
import { FormSection } from "@/components/form-section";
import { TextField } from "@/components/ui/field";

type PasswordFieldsProps = {
  password: RefObject<HTMLInputElement | null>;
  again: RefObject<HTMLInputElement | null>;
  error: (name: string) => string | undefined;
};

/** The holder's transaction password: it is in these two inputs alone until it is sent, and then in none. */
export function PasswordFields({ password, again, error }: PasswordFieldsProps) {
  const t = useTranslations("accountForm");
  const shared = { type: "password", autoComplete: "new-password", spellCheck: false, className: "max-w-80" } as const;
  return (
    <FormSection title={t("passwordTitle")} lead={t("passwordLead")}>
      <TextField
        {...shared}
        ref={password}
        name="transactionPassword"
        label={t("password")}
        hint={t("passwordHint")}
        error={error("transactionPassword")}
      />
      <TextField
        {...shared}
        ref={again}
        name="passwordAgain"
        label={t("passwordAgain")}
        error={error("passwordAgain")}
      />
    </FormSection>
  );
}
