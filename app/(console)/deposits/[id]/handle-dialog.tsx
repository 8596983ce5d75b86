"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { ChangedNotice, useSeen } from "@/components/form/changed-notice";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
import { TextField } from "@/components/ui/field";
import { DEPOSIT_REASONS } from "@/lib/db/enums/deposits";
import { handleDeposit } from "@/lib/deposits/actions";
import { type DepositRecord, type DepositRow, NOTE_MAX } from "@/lib/deposits/view";
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

function useFacts({ row, handled }: HandledDeposit) {
  const t = useTranslations("deposits");
  const locale = useLocale();
  return [
    { name: t("handle.owner"), value: row.owner?.name ?? t("noOwner") },
    { name: t("handle.reason"), value: row.reason === null ? t("handle.noReason") : t(`reasons.${row.reason}`) },
    { name: t("handle.note"), value: row.note ?? t("none") },
    ...[handled].flatMap((last) =>
      last === null
        ? []
        : { name: t("handled"), value: t("handledBy", { name: last.byName, time: formatDateTime(last.at, locale) }) },
    ),
  ];
}

export function HandleDialog({ of, onClose, onDone, onRefused }: HandleDialogProps) {
  const t = useTranslations("deposits");
  const { pending, failure, run } = useAction(handleDeposit);
  const { seen, hasMoved, error, accept } = useSeen(of, ({ version }) => version, failure);
  const [written, setWritten] = useState(() => writtenOf(of));
  const { owner, reason, note } = written;
  const facts = useFacts(of);
  const { row } = of;
  const isWritten = !isSame(written, writtenOf(seen));
  const takeOver = () => {
    accept();
    setWritten(writtenOf(of));
  };
  const keepMine = () => {
    const before = writtenOf(seen);
    const now = writtenOf(of);
    setWritten({
      owner: owner === before.owner ? now.owner : owner,
      reason: reason === before.reason ? now.reason : reason,
      note: note === before.note ? now.note : note,
    });
    accept();
  };
  const change = (changes: Partial<Written>) => setWritten({ ...written, ...changes });
  if (hasMoved && !isWritten && !pending) takeOver();
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
      error={error}
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
      {hasMoved && !pending ? <ChangedNotice facts={facts} onTakeOver={takeOver} onKeep={keepMine} /> : null}
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
        error={error?.fields?.["note"]}
        onChange={({ target }) => change({ note: target.value })}
      />
    </FormDialog>
  );
}
