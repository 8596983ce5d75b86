"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useUnsaved } from "@/components/session/scope";
import { FailureText } from "@/components/layout/failure-text";
import { Button } from "@/components/ui/button";
import { FieldFrame, useField } from "@/components/ui/field";
import { INPUT_CLASS } from "@/components/ui/input-class";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/form/use-action";
import { lookUpAccount } from "@/lib/accounts/actions";
import { cn } from "@/components/ui/cn";

/** Finds an account. What is typed is posted to the server: a document never stands in an address. */
export function LookUpForm() {
  const t = useTranslations("accounts");
  const router = useRouter();
  const { pending, failure, run } = useAction(lookUpAccount);
  const [query, setQuery] = useState("");
  useUnsaved(query.trim() !== "");
  const input = useRef<HTMLInputElement>(null);
  const [isChecked, setChecked] = useState(false);
  const isMissing = isChecked && query.trim() === "";
  const error = isMissing ? t("queryFirst") : failure?.fields?.["query"];
  const isRefused = failure !== null && error === undefined;
  const hint = t("lookUpHint");
  const field = useField({ hint, error });

  // Whoever opens the page came to type here.
  useEffect(() => input.current?.focus(), []);

  useEffect(() => {
    if (error !== undefined || isRefused) input.current?.focus();
  }, [error, isRefused]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    if (query.trim() === "") return;
    run({ query }, (found) =>
      router.push("accountRef" in found ? `/accounts/${found.accountRef}` : `/onboarding/${found.onboardingRef}`),
    );
  };

  return (
    <form noValidate onSubmit={submit} className="max-w-xl px-5 pt-2 pb-6">
      <FieldFrame id={field.id} label={t("lookUpLabel")} hint={hint} error={error}>
        <div className="flex gap-2">
          <div className="relative min-w-0 flex-1">
            <Search aria-hidden size={16} className="absolute top-3 left-3 text-faint" />
            <input
              {...field}
              ref={input}
              type="text"
              name="query"
              autoComplete="off"
              spellCheck={false}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              className={cn(INPUT_CLASS, "h-10 pl-9 tabular-nums")}
            />
          </div>
          <Button type="submit" tone="primary" size="large" isBusy={pending}>
            {pending ? t("lookingUp") : t("lookUp")}
          </Button>
        </div>
      </FieldFrame>
      <div aria-live="assertive">
        {isRefused ? (
          <Notice tone="negative" className="mt-3">
            <FailureText failure={failure} />
          </Notice>
        ) : null}
      </div>
    </form>
  );
}
