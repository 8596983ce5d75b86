"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { newIntentId } from "@/lib/intent";
import type { Failure } from "@/lib/result";

type FormDialogProps = {
  title: string;
  description: string;
  submitLabel: string;
  tone?: "primary" | "negative";
  /** Required, so that no form forgets them. */
  pending: boolean;
  error: Failure | null;
  onSubmit: (form: HTMLFormElement, intentId: string) => void;
  onClose: () => void;
  children: ReactNode;
};

/** A refused write did nothing: what is sent next is another intent. One without an answer may have been done. */
const isSettled = ({ kind }: Failure) => kind !== "unavailable" && kind !== "malformed";

/** The one door of a write. The intent is named when it opens: sent twice, it takes effect once. */
export function FormDialog({ pending, error, onSubmit, onClose, ...dialog }: FormDialogProps) {
  const t = useTranslations("common");
  const [intentId, setIntentId] = useState(newIntentId);
  const form = useRef<HTMLFormElement>(null);

  // Once the answer is there, whoever listens instead of looks is taken to the field it is about.
  useEffect(() => {
    if (!pending) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [pending]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (pending) return;
    const intent = error !== null && isSettled(error) ? newIntentId() : intentId;
    setIntentId(intent);
    onSubmit(event.currentTarget, intent);
  };

  return (
    <Dialog title={dialog.title} description={dialog.description} closeLabel={t("close")} onClose={onClose}>
      <form ref={form} noValidate onSubmit={submit}>
        <div className="px-5 pb-5">
          <div className="space-y-4">{dialog.children}</div>
          <div aria-live="assertive">
            {error ? (
              <Notice tone="negative" className="mt-4">
                {error.message}
                {error.providerMessage === undefined ? null : (
                  <p className="mt-1">
                    {t("providerSays")} <q>{error.providerMessage}</q>
                  </p>
                )}
              </Notice>
            ) : null}
          </div>
        </div>
        <footer className="sticky bottom-0 flex justify-end gap-2 border-t border-line bg-raised px-5 py-3">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" tone={dialog.tone ?? "primary"} isBusy={pending}>
            {pending ? t("inProgress") : dialog.submitLabel}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
