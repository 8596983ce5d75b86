"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { newIntentId } from "@/lib/intent";

type FormDialogProps = {
  title: string;
  description: string;
  submitLabel: string;
  tone?: "primary" | "negative";
  /** Required, so that no form forgets them. */
  pending: boolean;
  error: string | null;
  onSubmit: (form: HTMLFormElement, intentId: string) => void;
  onClose: () => void;
  children: ReactNode;
};

/** The one door of a write. The intent is named when it opens: sent twice, it takes effect once. */
export function FormDialog({ pending, error, onSubmit, onClose, ...dialog }: FormDialogProps) {
  const t = useTranslations("common");
  const [intentId] = useState(newIntentId);
  const form = useRef<HTMLFormElement>(null);

  // Once the answer is there, whoever listens instead of looks is taken to the field it is about.
  useEffect(() => {
    if (!pending) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [pending]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!pending) onSubmit(event.currentTarget, intentId);
  };

  return (
    <Dialog title={dialog.title} description={dialog.description} closeLabel={t("close")} onClose={onClose}>
      <form ref={form} noValidate onSubmit={submit}>
        <div className="px-5 pb-5">
          <div className="space-y-4">{dialog.children}</div>
          <div aria-live="assertive">
            {error ? (
              <Notice tone="negative" className="mt-4">
                {error}
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
