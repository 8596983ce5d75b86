"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { usePathname, useSearchParams } from "next/navigation";
import { type ReactNode, useState } from "react";
import { FailureNotice } from "@/components/layout/failure-text";
import { useRefresh } from "@/components/live/live-refresh";
import { Button, buttonClass } from "@/components/ui/button";
import type { Action } from "@/lib/action";
import {
  type DraftAnswer,
  type DraftOrder,
  DRAFT_PARAMETER,
  type OpenedDrafts,
  type Unfinished,
} from "@/lib/drafts/view";
import { formatBrl, formatDateTime } from "@/lib/text/format";
import { DiscardQuestion } from "./discard-question";
import { useAction } from "@/components/session/use-action";

type Save = Action<DraftOrder, DraftAnswer>;

type UnfinishedLineProps = { draft: Unfinished; save: Save };

function UnfinishedLine({
  draft: { draftId, subject, amount = "", step, savedAt, at = {} },
  save,
}: UnfinishedLineProps) {
  const t = useTranslations("draft");
  const locale = useLocale();
  const pathname = usePathname();
  const search = useSearchParams();
  const refresh = useRefresh();
  const { pending, failure, run } = useAction(save);
  const [isAsking, setAsking] = useState(false);
  const name = [subject ?? t("noSubject"), formatBrl(amount, locale)].filter((part) => part !== "").join(" · ");
  const address = new URLSearchParams(search);
  if (step === null) address.delete("step");
  else address.set("step", step);
  for (const [key, value] of Object.entries({ ...at, [DRAFT_PARAMETER]: draftId })) address.set(key, value);
  if (isAsking) {
    return (
      <li className="py-2">
        <DiscardQuestion
          question={t("discardOther", { name })}
          onSave={() => setAsking(false)}
          onDiscard={() => run({ do: "discard", draftId }, refresh)}
        />
        <FailureNotice failure={failure} />
      </li>
    );
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <span className="min-w-0 flex-1 wrap-anywhere tabular-nums">
        <span className="font-medium">{name}</span>{" "}
        <span className="text-muted">{t("leftAt", { time: formatDateTime(savedAt, locale) })}</span>
      </span>
      <Link href={`${pathname}?${address}`} prefetch={false} className={buttonClass("plain", "small")}>
        {t("goOn")}
        <span className="sr-only">: {name}</span>
      </Link>
      <Button tone="quiet" size="small" isBusy={pending} onClick={() => setAsking(true)}>
        {t("discard")}
        <span className="sr-only">: {name}</span>
      </Button>
    </li>
  );
}

type UnfinishedListProps<D extends Unfinished> = {
  drafts: readonly D[];
  saveOf: (draft: D) => Save;
  children?: ReactNode;
};

export function UnfinishedList<D extends Unfinished>({ drafts, saveOf, children }: UnfinishedListProps<D>) {
  const t = useTranslations("draft");
  if (drafts.length === 0) return null;
  return (
    <section aria-label={t("unfinished", { count: drafts.length })} className="max-w-4xl px-5 pt-5">
      <h2 className="font-semibold">{t("unfinished", { count: drafts.length })}</h2>
      <ul className="mt-1 divide-y divide-line">
        {drafts.map((draft) => (
          <UnfinishedLine key={draft.draftId} draft={draft} save={saveOf(draft)} />
        ))}
      </ul>
      {children}
    </section>
  );
}

type DraftGateProps<D extends Unfinished> = {
  form: Pick<OpenedDrafts, "isChosen"> & { unfinished: readonly D[] };
  save: Save;
  /** Saves a draft of another form. */
  saveOf?: (draft: D) => Save;
  children: ReactNode;
};

/** Shows the form and its drafts, or first asks which draft to continue. */
export function DraftGate<D extends Unfinished>({
  form: { unfinished, isChosen },
  save,
  saveOf = () => save,
  children,
}: DraftGateProps<D>) {
  const t = useTranslations("draft");
  const refresh = useRefresh();
  const { pending, failure, run } = useAction(save);
  if (unfinished.length === 0) return children;
  return (
    <>
      <UnfinishedList drafts={unfinished} saveOf={saveOf}>
        {isChosen ? null : (
          <Button tone="primary" className="mt-3" isBusy={pending} onClick={() => run({ do: "begin" }, refresh)}>
            {t("beginNew")}
          </Button>
        )}
        <FailureNotice failure={failure} className="mt-3" />
      </UnfinishedList>
      {isChosen ? children : null}
    </>
  );
}
