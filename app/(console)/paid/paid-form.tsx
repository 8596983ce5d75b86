"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { FailureText } from "@/components/layout/failure-text";
import { useUnsaved } from "@/components/session/scope";
import { useAction } from "@/components/session/use-action";
import { Button } from "@/components/ui/button";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import { FieldFrame, useEarlyText, useField } from "@/components/ui/field";
import { focusOnArrival } from "@/components/ui/focus";
import { Icon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { LateNote } from "@/components/ui/skeleton";
import { askWhetherPaid } from "@/lib/deposits/actions";
import { MOST_CALLS, type PaidAnswer, PAID_TEXT_MAX } from "@/lib/deposits/paid-view";
import { PaidAnswerView } from "./paid-answer";

type Answered = { text: string; answer: PaidAnswer };

/** The text is posted: what a customer wrote stands in no address. */
export function PaidForm({ asked }: { asked: string }) {
  const t = useTranslations("paid");
  const slow = useTranslations("common")("slow");
  const { pending, failure, run } = useAction(askWhetherPaid);
  const [text, setText] = useState(asked);
  const [isMissing, setMissing] = useState(false);
  const [answered, setAnswered] = useState<Answered | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const error = isMissing ? t("first") : failure?.fields?.["text"];
  const hint = t("hint", { most: MOST_CALLS });
  const field = useField({ hint, error });
  const type = ({ target }: { target: { value: string } }) => {
    setText(target.value);
    setMissing(false);
  };
  useEarlyText(field.id, text, type);
  useUnsaved(text.trim() !== "" && answered?.text !== text);

  useEffect(() => focusOnArrival(input.current), []);

  useEffect(() => {
    if (error !== undefined) input.current?.focus();
  }, [error]);

  const ask = (asking: string) => run({ text: asking }, (answer) => setAnswered({ text: asking, answer }));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setMissing(text.trim() === "");
    if (text.trim() === "") input.current?.focus();
    else ask(text);
  };

  return (
    <>
      <form method="post" noValidate onSubmit={submit} className="max-w-2xl px-5 pt-2 pb-6">
        <p className="mb-4 text-muted">{t("lead")}</p>
        <FieldFrame id={field.id} label={t("label")} hint={hint} error={error}>
          <div className="flex flex-wrap gap-2">
            <div className="relative min-w-60 flex-1">
              <Icon of="search" size={16} className="absolute top-3 left-3 text-faint" />
              <input
                {...field}
                ref={input}
                type="text"
                name="text"
                autoComplete="off"
                spellCheck={false}
                maxLength={PAID_TEXT_MAX}
                value={text}
                onChange={type}
                className={cn(INPUT_CLASS, "h-10 pl-9")}
              />
            </div>
            <Button type="submit" tone="primary" size="large" isBusy={pending}>
              {pending ? t("reading") : t("submit")}
            </Button>
          </div>
        </FieldFrame>
        {pending ? <p className="mt-3 text-sm text-muted">{t("readingNote")}</p> : null}
        {pending ? <LateNote className="mt-1">{slow}</LateNote> : null}
        <div aria-live="assertive">
          {failure === null || error !== undefined || pending ? null : (
            <Notice tone="negative" className="mt-3">
              <FailureText failure={failure} />
            </Notice>
          )}
        </div>
      </form>
      <div aria-live="polite" aria-busy={pending}>
        {answered === null ? null : (
          <PaidAnswerView
            asked={answered.text}
            answer={answered.answer}
            isReading={pending}
            onAgain={() => ask(answered.text)}
          />
        )}
      </div>
    </>
  );
}
