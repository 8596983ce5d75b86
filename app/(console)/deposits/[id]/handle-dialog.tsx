"use client";

import { useLocale, useTranslations } from "next-intl";
import { Fragment, useState } from "react";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { Button } from "@/components/ui/button";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { DEPOSIT_REASONS } from "@/lib/db/enums/deposits";
import { handleDeposit } from "@/lib/deposits/actions";
import { type DepositRecord, type DepositRow, NOTE_MAX } from "@/lib/deposits/view";
import type { Failure } from "@/lib/errors/result";
import { formatDateTime } from "@/lib/text/format";

export type HandledDeposit = Pick<DepositRecord, "row" | "version" | "handled">;

type HandleDialogProps = { of: HandledDeposit; onClose: () => void; onDone: () => void; onRefused: () => void };

type Owner = "me" | "nobody" | "same";
type Reason = (typeof DEPOSIT_REASONS)[number];
type Written = { owner: Owner; reason: Reason | null; note: string };

const ownerOf = ({ owner }: DepositRow): Owner => (owner === null ? "nobody" : owner.isMine ? "me" : "same");

const writtenOf = ({ row }: HandledDeposit): Written => ({
  owner: ownerOf(row),
  reason: DEPOSIT_REASONS.find((one) => one === row.reason) ?? null,
  note: row.note ?? "",
});

const isSame = (one: Written, other: Written) =>
  one.owner === other.owner && one.reason === other.reason && one.note === other.note;

type MovedProps = { now: HandledDeposit; onTakeOver: () => void; onKeep: () => void };

/** What a colleague made of it meanwhile, before anything is written over it. */
function Moved({ now: { row, handled }, onTakeOver, onKeep }: MovedProps) {
  const t = useTranslations("deposits");
  const locale = useLocale();
  const owner = row.owner === null ? t("noOwner") : row.owner.name;
  const facts = [
    { name: t("handle.owner"), value: owner },
    { name: t("handle.reason"), value: row.reason === null ? t("handle.noReason") : t(`reasons.${row.reason}`) },
    { name: t("handle.note"), value: row.note ?? t("none") },
    ...(handled === null
      ? []
      : [
          {
            name: t("handled"),
            value: t("handledBy", { name: handled.byName, time: formatDateTime(handled.at, locale) }),
          },
        ]),
  ];
  return (
    <Notice tone="warning" live="polite">
      <p>{t("handle.moved")}</p>
      <dl className="my-1.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
        {facts.map(({ name, value }) => (
          <Fragment key={name}>
            <dt className="text-muted">{name}</dt>
            <dd className="wrap-anywhere">
              <bdi>{value}</bdi>
            </dd>
          </Fragment>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={onKeep}>
          {t("handle.keepMine")}
        </Button>
        <Button size="small" onClick={onTakeOver}>
          {t("handle.takeOver")}
        </Button>
      </div>
    </Notice>
  );
}

export function HandleDialog({ of, onClose, onDone, onRefused }: HandleDialogProps) {
  const t = useTranslations("deposits");
  const { pending, failure, run } = useAction(handleDeposit);
  // A colleague's change does not change what this person writes.
  const [seen, setSeen] = useState(of);
  const [met, setMet] = useState<Failure | null>(null);
  const [{ owner, reason, note }, setWritten] = useState(() => writtenOf(of));
  const written = { owner, reason, note };
  const { row } = of;
  const isWritten = !isSame(written, writtenOf(seen));
  const hasMoved = of.version !== seen.version && !pending;
  const keepMine = () => {
    setSeen(of);
    setMet(failure);
  };
  const takeOver = () => {
    keepMine();
    setWritten(writtenOf(of));
  };
  const change = (changes: Partial<Written>) => setWritten({ ...written, ...changes });
  if (hasMoved && !isWritten) takeOver();
  const owners: { value: Owner; label: string }[] = [
    ...(row.owner === null || row.owner.isMine ? [] : [{ value: "same" as const, label: row.owner.name }]),
    { value: "me", label: t("handle.ownerMe") },
    { value: "nobody", label: t("handle.ownerNobody") },
  ];
  return (
    <FormDialog
      title={t("handle.title")}
      description={t("handle.body")}
      submitLabel={t("handle.submit")}
      isReady={isWritten && !hasMoved}
      pending={pending}
      error={failure === met ? null : failure}
      isWritten={isWritten}
      onSubmit={() =>
        run(
          { id: row.id, ...written, seen: seen.version },
          onDone,
          // Unsaved text blocks live refreshes, but a refused person needs what is there now.
          ({ kind }) => kind === "conflict" && onRefused(),
        )
      }
      onClose={onClose}
    >
      {hasMoved ? <Moved now={of} onTakeOver={takeOver} onKeep={keepMine} /> : null}
      <ChoiceField legend={t("handle.owner")}>
        <div className="grid gap-2 medium:grid-cols-2">
          {owners.map(({ value, label }) => (
            <RadioTile
              key={value}
              name="owner"
              value={value}
              isChosen={owner === value}
              onChoose={() => change({ owner: value })}
              className="px-3 py-2"
            >
              {label}
            </RadioTile>
          ))}
        </div>
      </ChoiceField>
      <ChoiceField legend={t("handle.reason")}>
        <div className="grid gap-2 medium:grid-cols-2">
          {[null, ...DEPOSIT_REASONS].map((value) => (
            <RadioTile
              key={value ?? ""}
              name="reason"
              value={value ?? ""}
              isChosen={reason === value}
              onChoose={() => change({ reason: value })}
              className="px-3 py-2"
            >
              {value === null ? t("handle.noReason") : t(`reasons.${value}`)}
            </RadioTile>
          ))}
        </div>
      </ChoiceField>
      <TextField
        label={t("handle.note")}
        hint={t("handle.noteHint")}
        name="note"
        maxLength={NOTE_MAX}
        autoComplete="off"
        value={note}
        error={failure?.fields?.["note"]}
        onChange={({ target }) => change({ note: target.value })}
      />
    </FormDialog>
  );
}
