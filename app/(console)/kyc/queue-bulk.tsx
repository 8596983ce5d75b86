"use client";

import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import { useId, useRef, useState } from "react";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { Button } from "@/components/ui/button";
import { FieldFrame, TextField, useField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import type { Failure } from "@/lib/errors/result";
import { assignCases, tagCases } from "@/lib/kyc/actions";
import type { BulkDone, SelectionInput } from "@/lib/kyc/queries";
import { type CaseCount, countText, TAG_MAX } from "@/lib/kyc/view";
import { formatCount } from "@/lib/text/format";
import type { Selection } from "@/components/table/use-selection";
import { KnownTags, useQueueChoices } from "./queue-filters";

export type BulkTotals = { matched: number; changed: number; isStopped: boolean };

type Ended = (totals: BulkTotals) => void;
type Step = { bulkId: string; slice: BulkDone["rest"] };

/** Runs in batches; finished batches stay done. */
export function useBulk(selection: SelectionInput) {
  const assigning = useAction(assignCases);
  const tagging = useAction(tagCases);
  const [done, setDone] = useState<{ matched: number; changed: number } | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isStopped = useRef(false);

  const goOn = (
    step: Step,
    send: (step: Step, on: (part: BulkDone) => void, no: (failed: Failure) => void) => void,
    ended: Ended,
  ) => {
    let matched = 0;
    let changed = 0;
    const next = (one: Step) =>
      send(
        one,
        (part) => {
          matched += part.matched;
          changed += part.changed;
          const soFar = { matched, changed };
          // Outside the transition, which would show the progress only at its end.
          queueMicrotask(() => setDone(soFar));
          if (part.rest === null || isStopped.current) ended({ matched, changed, isStopped: part.rest !== null });
          else next({ ...one, slice: part.rest });
        },
        setFailure,
      );
    isStopped.current = false;
    setFailure(null);
    next(step);
  };
  return {
    pending: assigning.pending || tagging.pending,
    done,
    failure,
    stop: () => {
      isStopped.current = true;
    },
    assign: (bulkId: string, to: string | null, ended: Ended) =>
      goOn({ bulkId, slice: null }, (step, on, no) => assigning.run({ ...step, selection, to }, on, no), ended),
    tag: (bulkId: string, given: { tag: string; isRemoved: boolean }, ended: Ended) =>
      goOn({ bulkId, slice: null }, (step, on, no) => tagging.run({ ...step, selection, ...given }, on, no), ended),
  };
}

export type BulkDeed = "assign" | "tag" | "untag";

const NOBODY = "nobody";

type BulkDialogProps = {
  deed: BulkDeed;
  selection: SelectionInput;
  count: number;
  isExact: boolean;
  onClose: () => void;
  onDone: (said: string) => void;
};

const TITLES = { assign: "assignTitle", tag: "tagTitle", untag: "untagTitle" } as const;

export function BulkDialog({ deed, selection, count, isExact, onClose, onDone }: BulkDialogProps) {
  const t = useTranslations("kycQueue");
  const locale = useLocale();
  const bulk = useBulk(selection);
  const choices = useQueueChoices();
  const [chosen, setChosen] = useState("");
  const [isChecked, setChecked] = useState(false);
  const value = chosen.trim();
  const missing = isChecked && value === "" ? t(deed === "assign" ? "choosePerson" : "tagFirst") : undefined;
  const people = choices.data?.people ?? [];

  const ended = ({ matched, changed, isStopped }: BulkTotals) => {
    const counts = { changed, left: matched - changed };
    const name = deed === "assign" ? (people.find(({ id }) => id === value)?.name ?? "") : value.toLowerCase();
    if (isStopped) onDone(t("stopped", { matched, changed }));
    else if (deed === "assign") onDone(value === NOBODY ? t("released", counts) : t("assigned", { ...counts, name }));
    else onDone(t(deed === "tag" ? "tagged" : "untagged", { ...counts, name }));
  };
  const submit = (form: HTMLFormElement, bulkId: string) => {
    setChecked(true);
    if (value === "") return form.querySelector<HTMLElement>("select, input")?.focus();
    if (deed === "assign") bulk.assign(bulkId, value === NOBODY ? null : value, ended);
    else bulk.tag(bulkId, { tag: value, isRemoved: deed === "untag" }, ended);
  };
  const error = missing ?? bulk.failure?.fields?.["tag"];

  return (
    <FormDialog
      title={t(TITLES[deed])}
      description={deed === "assign" ? t("assignBody") : t("tagBody")}
      submitLabel={t("applyTo", { exact: isExact ? "yes" : "no", count: isExact ? count : formatCount(count, locale) })}
      pending={bulk.pending}
      error={bulk.failure}
      isWritten={value !== "" && !bulk.pending}
      onSubmit={submit}
      onClose={onClose}
    >
      {deed === "assign" ? (
        <PersonChoice value={chosen} error={error} hasFailed={choices.isError} people={people} onChoose={setChosen} />
      ) : (
        <TagField value={chosen} error={error} tags={choices.data?.tags ?? []} onChange={setChosen} />
      )}
      {bulk.pending && bulk.done !== null ? (
        <Notice tone="info" live="polite" className="flex items-center justify-between gap-3">
          {t("progress", { done: bulk.done.matched })}
          <Button size="small" onClick={bulk.stop}>
            {t("stop")}
          </Button>
        </Notice>
      ) : null}
    </FormDialog>
  );
}

type PersonChoiceProps = {
  value: string;
  error: string | undefined;
  hasFailed: boolean;
  people: readonly { id: string; name: string; awayUntil: string | null }[];
  onChoose: (id: string) => void;
};

function PersonChoice({ value, error, hasFailed, people, onChoose }: PersonChoiceProps) {
  const t = useTranslations("kycQueue");
  const failed = hasFailed ? t("choicesFailed") : undefined;
  const field = useField({ error: error ?? failed });
  return (
    <FieldFrame id={field.id} label={t("assignTo")} error={error ?? failed}>
      <select
        {...field}
        value={value}
        onChange={(event) => onChoose(event.target.value)}
        className={cn(INPUT_CLASS, "h-9")}
      >
        <option value="">{t("choosePerson")}</option>
        {people.map(({ id, name, awayUntil }) => (
          <option key={id} value={id} disabled={awayUntil !== null}>
            {awayUntil === null ? name : t("awayUntil", { name })}
          </option>
        ))}
        <option value={NOBODY}>{t("backToQueue")}</option>
      </select>
    </FieldFrame>
  );
}

type TagFieldProps = {
  value: string;
  error: string | undefined;
  tags: readonly string[];
  onChange: (tag: string) => void;
};

function TagField({ value, error, tags, onChange }: TagFieldProps) {
  const t = useTranslations("kycQueue");
  const id = useId();
  return (
    <>
      <TextField
        label={t("tag")}
        hint={t("tagHint")}
        error={error}
        value={value}
        list={id}
        maxLength={TAG_MAX}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      <KnownTags id={id} tags={tags} />
    </>
  );
}

type QueueBulkProps = {
  selection: Selection;
  total: CaseCount;
  search: string;
  onDone: (said: string) => void;
};

export function QueueBulk({ selection, total, search, onDone }: QueueBulkProps) {
  const t = useTranslations("kycQueue");
  const locale = useLocale();
  const [deed, setDeed] = useState<BulkDeed | null>(null);
  const { ids, isAll, isWholePage } = selection;
  const whole = countText(total, locale);
  return (
    <>
      <div
        role="toolbar"
        aria-label={t("bulk")}
        className="fixed inset-x-4 bottom-5 z-20 mx-auto flex w-fit max-w-[calc(100vw-2rem)] flex-wrap items-center gap-2 rounded-lg bg-raised px-3 py-2 shadow-float"
      >
        <p aria-live="polite" className="px-1 font-medium tabular-nums">
          {isAll ? t("allSelected", { count: whole }) : t("selected", { count: ids.length })}
        </p>
        {!isAll && isWholePage && (total.cases > ids.length || !total.isExact) ? (
          <Button size="small" tone="quiet" onClick={selection.selectAll}>
            {t("selectAll", { count: whole })}
          </Button>
        ) : null}
        <Button size="small" onClick={() => setDeed("assign")}>
          <Icon of="user-round" size={13} />
          {t("assign")}
        </Button>
        <Button size="small" onClick={() => setDeed("tag")}>
          <Icon of="tag" size={13} />
          {t("addTag")}
        </Button>
        <Button size="small" onClick={() => setDeed("untag")}>
          <Icon of="undo-2" size={13} />
          {t("removeTag")}
        </Button>
        <Button size="small" tone="quiet" aria-label={t("clearSelection")} onClick={selection.clear}>
          <Icon of="x" size={14} />
        </Button>
      </div>
      {deed === null ? null : (
        <BulkDialog
          deed={deed}
          selection={isAll ? { search } : { ids: [...ids] }}
          count={isAll ? total.cases : ids.length}
          isExact={!isAll || total.isExact}
          onClose={() => setDeed(null)}
          onDone={(said) => {
            setDeed(null);
            selection.clear();
            onDone(said);
          }}
        />
      )}
    </>
  );
}
