"use client";

import { useQuery } from "@tanstack/react-query";
import { Icon } from "@/components/ui/icons";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useAsk } from "@/components/session/use-read";
import { useUnsaved } from "@/components/session/scope";
import { deferred } from "@/components/layout/deferred";
import { FailureText } from "@/components/layout/failure-text";
import { ProviderText } from "@/components/layout/provider-text";
import { Button } from "@/components/ui/button";
import { FieldFrame, useEarlyText, useField } from "@/components/ui/field";
import { focusOnArrival } from "@/components/ui/focus";
import { Notice } from "@/components/ui/notice";
import { LateNote } from "@/components/ui/skeleton";
import { useAction } from "@/components/session/use-action";
import { useSeek } from "@/components/session/use-seek";
import { lookUpAccount } from "@/lib/accounts/actions";
import { type FoundRecord, foundHref } from "@/lib/accounts/view";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import { isMasked } from "@/lib/text/masks";
import { digitsOfSlip, type SearchAnswer, type SearchGroup, type SearchHit, type SearchShape } from "@/lib/search/view";
import { hrefWith } from "@/lib/text/page";
import type { TransferKind } from "@/lib/db/enums/transfers";

export type Answered = { asked: string; answer: SearchAnswer };

/** The search result for `asked`; null sends nothing. */
export function useSearchAnswer(asked: string | null) {
  const t = useTranslations("search");
  const ask = useAsk();
  return useQuery({
    queryKey: ["search", asked],
    enabled: asked !== null,
    queryFn: async ({ signal }): Promise<Answered> => {
      const query = asked ?? "";
      const result = await ask<SearchAnswer>("/api/search", { query }, signal).catch(() => null);
      if (result?.ok !== true) throw new Error(result?.error.message ?? t("failed"));
      return { asked: query, answer: result.data };
    },
    // It may be a document, so it is dropped after the request.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

export function Hit({ hit: { title, state, detail, isPerhaps } }: { hit: SearchHit }) {
  const t = useTranslations("search");
  return (
    <>
      <span className="min-w-0 flex-1">
        <span className="block truncate tabular-nums">
          <ProviderText text={title} />
        </span>
        {detail === null ? null : (
          <span className="block truncate text-sm text-muted tabular-nums">
            <ProviderText text={detail} />
          </span>
        )}
        {isPerhaps === true ? <span className="block text-sm text-warning">{t("perhaps")}</span> : null}
      </span>
      {state === null ? null : (
        <span className="shrink-0 text-sm text-muted">
          <ProviderText text={state} />
        </span>
      )}
    </>
  );
}

const PixKeyDialog = deferred(() =>
  import("@/app/(console)/transfers/pix-key-dialog").then((loaded) => loaded.PixKeyDialog),
);

const ALIEN = ["number", "address", "hash", "pix-key"] as const satisfies SearchShape[];

type ElsewhereProps = {
  /** The text that found nothing; null before any search. */
  asked: string | null;
  /** The group of records that this list holds; null when it holds none. */
  own: SearchGroup | null;
  problem?: string | null;
};

const ELEVEN_DIGITS = /^\d{11}$/;

type SearchWords = ReturnType<typeof useTranslations<"search">>;

export function hintOf(t: SearchWords, { shape, alsoRead }: SearchAnswer, asked: string): string | null {
  if (alsoRead !== null) return t("alsoRead", { document: alsoRead });
  if (shape === "slip" && ELEVEN_DIGITS.test(asked)) return t("none.number");
  const count = shape === "number" ? digitsOfSlip(asked) : null;
  return count === null ? null : t("digits", { count });
}

export function Elsewhere({ asked, own, problem = null }: ElsewhereProps) {
  const t = useTranslations("search");
  const router = useRouter();
  const { data, isFetching } = useSearchAnswer(asked === "" ? null : asked);
  const provider = useAction(lookUpAccount);
  const [isAskingKey, setAskingKey] = useState(false);
  const { shape = null, hits: answered = [], canAskProvider = false, restored = null } = data?.answer ?? {};
  const hits = answered.filter(({ group }) => group !== "help");
  const isMask = shape === "mask";
  const isNone = hits.length === 0 && (shape === "slip" || shape === "several");
  if (isFetching) return <p className="text-muted">{t("searching")}</p>;
  const said = problem === null || isNone || isMask ? null : <p>{problem}</p>;
  if (asked === null || shape === null || (!isMask && hits.some(({ group }) => group === own))) return said;
  // The look-up has already asked the provider about an account number.
  const isAlien = (one: SearchShape) => one === shape && !(own === "accounts" && one === "number");
  const alien = restored === null ? ALIEN.find(isAlien) : undefined;
  if (hits.length === 0 && isMask) return <p>{t("none.mask")}</p>;
  if (hits.length === 0 && alien === undefined && !isNone) return said;
  const hint = data === undefined || hits.length > 0 ? null : hintOf(t, data.answer, asked);
  const askProvider = () => provider.run({ query: asked }, (found) => router.push(foundHref(found)));
  return (
    <div className="text-ink">
      {restored === null ? null : (
        <>
          <p>{t("restored", { document: restored })}</p>
          {said}
        </>
      )}
      <p>
        {isNone
          ? t(`none.${shape}`)
          : isMask
            ? t("sameMask")
            : alien === undefined
              ? t("elsewhere")
              : t(`looksLike.${alien}`)}
      </p>
      <ul>
        {hits.map((hit) => (
          <li key={hit.href}>
            <Link
              href={hit.href}
              prefetch={false}
              className="flex items-baseline gap-2 py-0.5 text-accent hover:underline"
            >
              {t(`groups.${hit.group}`)}
              <Hit hit={hit} />
            </Link>
          </li>
        ))}
      </ul>
      {hits.length > 0 || isNone ? null : <p className="text-muted">{t(`none.${shape}`)}</p>}
      {hint === null ? null : <p className="text-muted">{hint}</p>}
      {hits.length === 0 && shape === "number" && canAskProvider ? (
        <Button size="small" className="my-1" isBusy={provider.pending} onClick={askProvider}>
          {t("askProvider")}
        </Button>
      ) : null}
      {hits.length === 0 && data?.answer.canAskPixKey === true ? (
        <Button size="small" className="my-1" onClick={() => setAskingKey(true)}>
          {t("askPixKey")}
        </Button>
      ) : null}
      {isAskingKey ? <PixKeyDialog typed={asked} onClose={() => setAskingKey(false)} /> : null}
      {provider.failure === null ? null : <p className="text-negative">{provider.failure.message}</p>}
    </div>
  );
}

type Words = { label: string; hint: string; find: string; finding: string; first: string };

type LookUpBoxProps = {
  words: Words;
  isSearch?: boolean;
  /** The target of a found record, or a note when there is none. */
  leadsTo: (found: FoundRecord) => { href: string } | { note: string };
};

/** Finds an account. The text is posted, so that no document appears in a URL. */
function LookUpBox({ words, isSearch = false, leadsTo }: LookUpBoxProps) {
  const t = useTranslations("common");
  const search = useTranslations("search");
  const router = useRouter();
  const [query, setQuery] = useState("");
  const { pending, failure, seek } = useSeek(lookUpAccount, query);
  useUnsaved(query.trim() !== "");
  const input = useRef<HTMLInputElement>(null);
  const [note, setNote] = useState<string | null>(null);
  const [restored, setRestored] = useState<{ of: string; href: string; document: string } | null>(null);
  const error = note ?? failure?.fields?.["query"];
  const isRefused = failure !== null && error === undefined;
  const field = useField({ hint: words.hint, error });
  useEarlyText(field.id, query, ({ target }) => setQuery(target.value));

  useEffect(() => {
    if (isSearch) focusOnArrival(input.current);
  }, [isSearch]);

  useEffect(() => {
    if (error !== undefined || isRefused) input.current?.focus();
  }, [error, isRefused]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (query.trim() === "") {
      setNote(words.first);
      input.current?.focus();
      return;
    }
    setNote(null);
    seek({ query, isEntryToo: isSearch }, (found) => {
      const next = leadsTo(found);
      if ("note" in next) setNote(next.note);
      else if (found.restored === undefined) router.push(next.href);
      else setRestored({ of: query, href: next.href, document: found.restored });
    });
  };

  return (
    <form method="post" noValidate onSubmit={submit}>
      <FieldFrame id={field.id} label={words.label} hint={words.hint} error={error}>
        <div className="flex gap-2">
          <div className="relative min-w-0 flex-1">
            <Icon of="search" size={16} className="absolute top-3 left-3 text-faint" />
            <input
              {...field}
              ref={input}
              type="text"
              name="query"
              autoComplete="off"
              spellCheck={false}
              value={query}
              onChange={({ target }) => {
                setQuery(target.value);
                setNote(null);
              }}
              className={cn(INPUT_CLASS, "h-10 pl-9 tabular-nums")}
            />
          </div>
          <Button type="submit" tone="primary" size="large" isBusy={pending}>
            {pending ? words.finding : words.find}
          </Button>
        </div>
      </FieldFrame>
      {pending ? <LateNote className="mt-2">{t("slow")}</LateNote> : null}
      <div aria-live="assertive">
        {isRefused ? (
          <Notice tone="negative" className="mt-3">
            <FailureText failure={failure} />
            {failure.kind === "not-found" ? <Elsewhere asked={query.trim()} own="accounts" /> : null}
          </Notice>
        ) : null}
        {restored?.of === query ? (
          <Notice tone="info" className="mt-3">
            {search("restored", { document: restored.document })}{" "}
            <Link href={restored.href} prefetch={false} className="text-accent hover:underline">
              {search("restoredOpen")}
            </Link>
          </Notice>
        ) : null}
        {isSearch && failure !== null && isMasked(query) ? <Elsewhere asked={query.trim()} own={null} /> : null}
      </div>
    </form>
  );
}

export function LookUpForm() {
  const t = useTranslations("accounts");
  const words = {
    label: t("lookUpLabel"),
    hint: t("lookUpHint"),
    find: t("lookUp"),
    finding: t("lookingUp"),
    first: t("queryFirst"),
  };
  return (
    <div className="max-w-xl px-5 pt-2 pb-6">
      <LookUpBox words={words} isSearch leadsTo={(found) => ({ href: foundHref(found) })} />
    </div>
  );
}

export function SourceForm({ kind }: { kind: TransferKind }) {
  const t = useTranslations("transferForm");
  const words = {
    label: t("sourceLabel"),
    hint: t("sourceHint"),
    find: t("sourceFind"),
    finding: t("sourceFinding"),
    first: t("sourceFirst"),
  };
  const type = kind === "INTERNAL" ? null : kind;
  return (
    <div className="max-w-xl px-5 pt-5 pb-6">
      <h2 className="font-semibold">{t("sourceTitle")}</h2>
      <p className="mt-1 mb-4 text-muted">{t("sourceLead")}</p>
      <LookUpBox
        words={words}
        leadsTo={(found) =>
          "accountRef" in found
            ? { href: hrefWith("/transfers/new", { from: found.accountRef, type }) }
            : { note: t("sourceNoAccount") }
        }
      />
    </div>
  );
}
