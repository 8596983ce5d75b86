"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useUnsaved } from "@/components/session/scope";
import { DiscardQuestion } from "./discard-question";
import { FailureText } from "@/components/layout/failure-text";
import { SlowNote, type SlowWord } from "@/components/layout/slow-note";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { newIntentId } from "@/lib/text/intent";
import type { Failure } from "@/lib/errors/result";

type FormDialogProps = {
  title: string;
  description: string;
  submitLabel: string;
  tone?: "primary" | "negative";
  isReady?: boolean;
  /** The action failed and cannot be repeated from here. */
  isOver?: boolean;
  /** The action calls the provider: what is said while its answer takes long. */
  slow?: SlowWord | undefined;
  /** Required, so that no form forgets them. */
  pending: boolean;
  error: Failure | null;
  isWritten: boolean;
  onSubmit: (form: HTMLFormElement, intentId: string) => void;
  onClose: () => void;
  children: ReactNode;
};

/** A refused write did nothing, so the next try is a new intent; an unanswered one may have taken effect. */
const isSettled = ({ kind }: Failure) => kind !== "unavailable" && kind !== "malformed";

const TEXT_FIELD = "textarea, input:not([type=radio])";

/** The intent is chosen on opening, so that a repeat takes effect once. */
export function FormDialog({ pending, error, isWritten, onSubmit, onClose, ...dialog }: FormDialogProps) {
  const t = useTranslations("common");
  const { isReady = true, isOver = false, slow } = dialog;
  const [intentId, setIntentId] = useState(newIntentId);
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  const [leftFrom, setLeftFrom] = useState<Element | null>(null);
  useUnsaved(isWritten);

  // Moves the screen reader to the wrong field.
  useEffect(() => {
    const invalid = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (pending) return;
    if (invalid) invalid.focus();
    else notice.current?.firstElementChild?.scrollIntoView({ block: "nearest" });
  }, [pending]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A dialog opened from within a form is a part of it to React.
    event.stopPropagation();
    if (pending || !isReady || isOver) return;
    const intent = error !== null && isSettled(error) ? newIntentId() : intentId;
    setIntentId(intent);
    setLeftFrom(null);
    onSubmit(event.currentTarget, intent);
  };

  const stay = () => {
    const field = leftFrom?.matches("input, textarea") ? leftFrom : form.current?.querySelector(TEXT_FIELD);
    if (field instanceof HTMLElement) field.focus();
    setLeftFrom(null);
  };
  const leave = () => {
    if (leftFrom !== null) stay();
    else if (isWritten) setLeftFrom(document.activeElement);
    else onClose();
  };

  return (
    <Dialog title={dialog.title} description={dialog.description} closeLabel={t("close")} onClose={leave}>
      <form ref={form} method="post" noValidate onSubmit={submit}>
        <div className="px-5 pb-5">
          <div className="space-y-4">{dialog.children}</div>
          <div ref={notice} aria-live="assertive">
            {error ? (
              <Notice tone="negative" className="mt-4 scroll-mb-20">
                <FailureText failure={error} />
              </Notice>
            ) : null}
          </div>
        </div>
        <footer className="sticky bottom-0 border-t border-line bg-raised px-5 py-3">
          {leftFrom === null ? (
            <div className="flex flex-wrap justify-end gap-2">
              {pending && slow !== undefined ? <SlowNote of={slow} className="basis-full text-end" /> : null}
              <Button onClick={leave}>{t(isOver ? "close" : "cancel")}</Button>
              {isOver ? null : (
                <Submit label={dialog.submitLabel} tone={dialog.tone} pending={pending} isReady={isReady} />
              )}
            </div>
          ) : (
            <DiscardQuestion onSave={stay} onDiscard={onClose} />
          )}
        </footer>
      </form>
    </Dialog>
  );
}

type SubmitProps = { label: string; tone: FormDialogProps["tone"]; pending: boolean; isReady: boolean };

function Submit({ label, tone = "primary", pending, isReady }: SubmitProps) {
  const t = useTranslations("common");
  return (
    <Button
      type="submit"
      tone={tone}
      aria-disabled={!isReady || undefined}
      title={isReady ? undefined : t("notReady")}
      isBusy={pending}
    >
      {pending ? t("inProgress") : label}
    </Button>
  );
}
