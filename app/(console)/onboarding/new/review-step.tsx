import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef } from "react";
import { useRepeat } from "@/app/(console)/ordering/use-repeat";
import { FailureText } from "@/components/failure-text";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { AccountReview } from "@/lib/account-creation";
import { AccountLikenesses } from "./likenesses";
import { PasswordFields } from "./password-fields";
import { ReviewedForm } from "./reviewed-form";
import type { AccountWork } from "./use-account";

const valueOf = (input: HTMLInputElement | null) => input?.value ?? "";

/** Nothing of it stays in the page. */
function empty(...inputs: (HTMLInputElement | null)[]): void {
  for (const input of inputs) if (input !== null) input.value = "";
}

/** What there is of the document already, in sight of what is about to be sent; and the password, for the one call. */
export function ReviewStep({ work, review }: { work: AccountWork; review: AccountReview }) {
  const t = useTranslations("accountForm");
  const { kind, draft, fields, attempts, failure, isSending } = work;
  const { likenesses, hasLetters, minorAge } = review;
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const again = useRef<HTMLInputElement>(null);
  const repeat = useRepeat(likenesses);

  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [attempts]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!repeat.isAgreed() || isSending || repeat.isBlocked) return;
    const typed = { transactionPassword: valueOf(password.current), passwordAgain: valueOf(again.current) };
    work.send({ ...typed, seen: repeat.seen }, () => empty(password.current, again.current));
  };

  return (
    <form ref={form} noValidate autoComplete="off" onSubmit={submit} className="max-w-4xl px-5 pb-6">
      <h2 ref={heading} tabIndex={-1} className="pt-5 text-md font-semibold outline-none">
        {t("reviewTitle")}
      </h2>
      <p className="mt-1 mb-4 text-sm text-muted">{t("reviewLead")}</p>
      <div className="space-y-4">
        {hasLetters ? <Notice tone="warning">{t("lettered")}</Notice> : null}
        {minorAge === null ? null : <Notice tone="warning">{t("minor", { age: minorAge })}</Notice>}
        {likenesses.length > 0 ? <AccountLikenesses likenesses={likenesses} repeat={repeat} /> : null}
        <ReviewedForm kind={kind} draft={draft} onGo={work.go} />
        {repeat.isBlocked ? null : <PasswordFields password={password} again={again} error={fields.error} />}
        <div aria-live="assertive">
          {failure ? (
            <Notice tone="negative">
              <FailureText failure={failure} />
            </Notice>
          ) : null}
        </div>
        <div className="flex flex-wrap items-center justify-end gap-2 pt-2">
          <Button onClick={() => work.go("documents")}>{t("back")}</Button>
          {repeat.isBlocked ? null : (
            <Button type="submit" tone="primary" isBusy={isSending}>
              {isSending ? t("creating") : t("create")}
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}
