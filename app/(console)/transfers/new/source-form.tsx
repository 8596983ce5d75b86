"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useAction } from "@/components/form/use-action";
import { FailureText } from "@/components/layout/failure-text";
import { Button } from "@/components/ui/button";
import { FieldFrame, useField } from "@/components/ui/field";
import { INPUT_CLASS } from "@/components/ui/input-class";
import { cn } from "@/components/ui/cn";
import { Notice } from "@/components/ui/notice";
import { lookUpAccount } from "@/lib/accounts/actions";
import { hrefWith } from "@/lib/text/page";
import type { TransferKind } from "@/lib/transfers/view";

/** Chooses the account that pays. What is typed is posted: a document never stands in an address. */
export function SourceForm({ kind }: { kind: TransferKind }) {
  const t = useTranslations("transferForm");
  const router = useRouter();
  const { pending, failure, run } = useAction(lookUpAccount);
  const [query, setQuery] = useState("");
  const [told, setTold] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const error = told ?? failure?.fields?.["query"];
  const isRefused = failure !== null && error === undefined;
  const field = useField({ hint: t("sourceHint"), error });

  useEffect(() => {
    if (error !== undefined || isRefused) input.current?.focus();
  }, [error, isRefused]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (query.trim() === "") {
      setTold(t("sourceFirst"));
      input.current?.focus();
      return;
    }
    setTold(null);
    run({ query }, (found) => {
      if (!("accountRef" in found)) return setTold(t("sourceNoAccount"));
      router.push(hrefWith("/transfers/new", { from: found.accountRef, type: kind === "INTERNAL" ? null : kind }));
    });
  };
  return (
    <form noValidate onSubmit={submit} className="max-w-xl px-5 pt-5 pb-6">
      <h2 className="font-semibold">{t("sourceTitle")}</h2>
      <p className="mt-1 mb-4 text-muted">{t("sourceLead")}</p>
      <FieldFrame id={field.id} label={t("sourceLabel")} hint={t("sourceHint")} error={error}>
        <div className="flex gap-2">
          <input
            {...field}
            ref={input}
            type="text"
            name="query"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={query}
            onChange={({ target }) => {
              setQuery(target.value);
              setTold(null);
            }}
            className={cn(INPUT_CLASS, "h-9 tabular-nums")}
          />
          <Button type="submit" tone="primary" isBusy={pending}>
            {pending ? t("sourceFinding") : t("sourceFind")}
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
