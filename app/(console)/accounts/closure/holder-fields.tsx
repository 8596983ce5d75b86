"use client";

import { useTranslations } from "next-intl";
import { TextField } from "@/components/ui/field";
import type { Failure } from "@/lib/errors/result";

function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement | null {
  const field = form.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field : null;
}

/** Reads the token and code on submit; they are stored nowhere else. */
export function holderProofIn(form: HTMLFormElement): { userAccessToken: string; code: string } {
  const typedIn = (name: string) => fieldOf(form, name)?.value ?? "";
  return { userAccessToken: typedIn("userAccessToken"), code: typedIn("code") };
}

/** A used code is cleared after any refusal; the token only when it was the cause. */
export function forgetRefused(form: HTMLFormElement, { fields }: Failure): void {
  const refused = fields?.["userAccessToken"] === undefined ? ["code"] : ["code", "userAccessToken"];
  for (const name of refused) {
    const field = fieldOf(form, name);
    if (field !== null) field.value = "";
  }
}

const SECRET = { autoComplete: "off", autoCapitalize: "none", autoCorrect: "off", spellCheck: false } as const;

type HolderFieldsProps = { errors: Partial<Record<"userAccessToken" | "code", string>>; onTyped: () => void };

/** The values never enter React state. */
export function HolderFields({ errors, onTyped }: HolderFieldsProps) {
  const t = useTranslations("closing");
  return (
    <>
      <TextField
        {...SECRET}
        name="userAccessToken"
        label={t("token")}
        hint={t("tokenHint")}
        error={errors.userAccessToken}
        data-1p-ignore
        data-lpignore="true"
        onInput={onTyped}
        // Hidden like a password, without the browser offering to save it.
        className="font-mono [-webkit-text-security:disc]"
      />
      <TextField
        {...SECRET}
        name="code"
        label={t("code")}
        hint={t("codeHint")}
        error={errors.code}
        inputMode="numeric"
        maxLength={7}
        data-1p-ignore
        data-lpignore="true"
        onInput={onTyped}
        className="max-w-44 font-mono tracking-widest tabular-nums"
      />
    </>
  );
}

export function useMissingProof() {
  const t = useTranslations("closing");
  return ({ userAccessToken, code }: { userAccessToken: string; code: string }) => ({
    ...(userAccessToken === "" && { userAccessToken: t("secretsFirst") }),
    ...(code.trim() === "" && { code: t("secretsFirst") }),
  });
}
