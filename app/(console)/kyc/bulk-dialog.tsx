"use client";

import { useLocale, useTranslations } from "next-intl";
import { useId, useState } from "react";
import { FormDialog } from "@/components/form-dialog";
import { Button } from "@/components/ui/button";
import { FieldFrame, TextField, useField } from "@/components/ui/field";
import { INPUT_CLASS } from "@/components/ui/input-class";
import { Notice } from "@/components/ui/notice";
import { cn } from "@/lib/cn";
import { formatCount } from "@/lib/format";
import type { SelectionGiven } from "@/lib/kyc/queries";
import { KnownTags } from "./known-tags";
import { useQueueChoices } from "./use-queue-choices";
import { type BulkTotals, useBulk } from "./use-bulk";

export type BulkDeed = "assign" | "tag" | "untag";

/** In the place of a person: nobody has the case any more. */
const NOBODY = "nobody";

type BulkDialogProps = {
  deed: BulkDeed;
  selection: SelectionGiven;
  /** How many cases, or how many at least when it is not exact. */
  count: number;
  isExact: boolean;
  onClose: () => void;
  onDone: (said: string) => void;
};

const TITLES = { assign: "assignTitle", tag: "tagTitle", untag: "untagTitle" } as const;

/** Assigns or tags all that is selected. What goes through more than one call shows how far it is, and can be stopped. */
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
        maxLength={30}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <KnownTags id={id} tags={tags} />
    </>
  );
}
