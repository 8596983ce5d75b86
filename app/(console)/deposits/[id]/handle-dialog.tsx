"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { ChoiceField, RadioTile } from "@/components/ui/choice-field";
import { TextField } from "@/components/ui/field";
import { DEPOSIT_REASONS, type DepositReason } from "@/lib/db/enums/deposits";
import { handleDeposit } from "@/lib/deposits/actions";
import { type DepositRow, NOTE_MAX } from "@/lib/deposits/view";

export type HandledDeposit = Pick<DepositRow, "id" | "owner" | "reason" | "note">;

type HandleDialogProps = { row: HandledDeposit; onClose: () => void; onDone: () => void };

type Owner = "me" | "nobody" | "same";

const ownerOf = ({ owner }: HandledDeposit): Owner => (owner === null ? "nobody" : owner.isMine ? "me" : "same");

export function HandleDialog({ row, onClose, onDone }: HandleDialogProps) {
  const t = useTranslations("deposits");
  const { pending, failure, run } = useAction(handleDeposit);
  const [owner, setOwner] = useState<Owner>(ownerOf(row));
  const [reason, setReason] = useState<DepositReason | null>(row.reason);
  const [note, setNote] = useState(row.note ?? "");
  const isWritten = owner !== ownerOf(row) || reason !== row.reason || note !== (row.note ?? "");
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
      isReady={isWritten}
      pending={pending}
      error={failure}
      isWritten={isWritten}
      onSubmit={() => run({ id: row.id, owner, reason, note }, onDone)}
      onClose={onClose}
    >
      <ChoiceField legend={t("handle.owner")}>
        <div className="grid gap-2 medium:grid-cols-2">
          {owners.map(({ value, label }) => (
            <RadioTile
              key={value}
              name="owner"
              value={value}
              isChosen={owner === value}
              onChoose={() => setOwner(value)}
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
              onChoose={() => setReason(value)}
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
        onChange={({ target }) => setNote(target.value)}
      />
    </FormDialog>
  );
}
