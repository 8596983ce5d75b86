"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { TextField } from "@/components/ui/field";
import type { Accepted } from "@/lib/staff/rules";

type NewPasswordFieldProps = {
  label: string;
  value: string;
  fault: Accepted["fault"];
  error: string | undefined;
  onChange: (password: string) => void;
};

export function NewPasswordField({ label, value, fault, error, onChange }: NewPasswordFieldProps) {
  const t = useTranslations("invite");
  const [isShown, setShown] = useState(false);
  return (
    <>
      <TextField
        label={label}
        hint={t("passwordHint")}
        type={isShown ? "text" : "password"}
        name="password"
        autoComplete="new-password"
        value={value}
        error={fault === null ? error : t(`faults.${fault}`)}
        onChange={(event) => onChange(event.target.value)}
      />
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={isShown}
          onChange={(event) => setShown(event.target.checked)}
          className="size-3.5 accent-accent"
        />
        {t("show")}
      </label>
    </>
  );
}
