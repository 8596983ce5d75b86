"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/form/form-dialog";
import { TextField } from "@/components/ui/field";
import { useAction } from "@/components/session/use-action";
import { followOnboarding } from "@/lib/onboarding/actions";

export function FollowDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("onboarding");
  const router = useRouter();
  const { pending, failure, run } = useAction(followOnboarding);
  const [query, setQuery] = useState("");
  const [isChecked, setChecked] = useState(false);
  const isMissing = isChecked && query.trim() === "";
  const fieldError = isMissing ? t("queryFirst") : failure?.fields?.["query"];

  const submit = (form: HTMLFormElement, intentId: string) => {
    setChecked(true);
    if (query.trim() === "") form.querySelector("input")?.focus();
    else run({ query, intentId }, ({ id, isKnown }) => router.push(`/onboarding/${id}${isKnown ? "?known=yes" : ""}`));
  };

  return (
    <FormDialog
      title={t("followTitle")}
      description={t("followBody")}
      submitLabel={t("followSubmit")}
      slow="slow"
      pending={pending}
      error={fieldError ? null : failure}
      isWritten={query.trim() !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t("query")}
        hint={t("queryHint")}
        error={fieldError}
        name="query"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
    </FormDialog>
  );
}
