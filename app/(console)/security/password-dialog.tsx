"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/form/form-dialog";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/session/use-action";
import { changePassword } from "@/lib/security/actions";
import type { PasswordChangeResult } from "@/lib/auth/view";

function useFaults(outcome: PasswordChangeResult | null) {
  const t = useTranslations("factors");
  if (outcome === null || outcome === "done" || typeof outcome === "object") return {};
  if (outcome === "none") return { next: t("passwordNone") };
  return outcome === "wrong" ? { current: t("wrong") } : { next: t(outcome) };
}

export function PasswordDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const t = useTranslations("factors");
  const { pending, failure, run } = useAction(changePassword);
  const [typed, setTyped] = useState({ current: "", next: "" });
  const [outcome, setOutcome] = useState<PasswordChangeResult | null>(null);
  const faults = useFaults(outcome);
  const [isChecked, setChecked] = useState(false);
  const fields = useTranslations("fields");
  const missingIn = (text: string) => (isChecked && text === "" ? fields("required") : undefined);

  const submit = (form: HTMLFormElement) => {
    setChecked(true);
    const missing = form.querySelector<HTMLElement>("input:invalid");
    if (missing) return missing.focus();
    run(typed, (answer) => (answer === "done" ? onDone() : setOutcome(answer)));
  };

  return (
    <FormDialog
      title={t("changePassword")}
      description={t("changeLead")}
      submitLabel={t("changePassword")}
      pending={pending}
      error={failure}
      isWritten={typed.next !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t("current")}
        error={missingIn(typed.current) ?? faults.current}
        type="password"
        name="current"
        autoComplete="current-password"
        required
        value={typed.current}
        onChange={(event) => setTyped({ ...typed, current: event.target.value })}
      />
      <TextField
        label={t("next")}
        hint={t("nextHint")}
        error={missingIn(typed.next) ?? faults.next}
        type="password"
        name="next"
        autoComplete="new-password"
        required
        value={typed.next}
        onChange={(event) => setTyped({ ...typed, next: event.target.value })}
      />
      {typeof outcome === "object" && outcome !== null ? (
        <Notice tone="negative">{t("wait", { seconds: Math.ceil(outcome.waitMs / 1000) })}</Notice>
      ) : null}
    </FormDialog>
  );
}
