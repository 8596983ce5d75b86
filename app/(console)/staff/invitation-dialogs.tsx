"use client";

import { useTranslations } from "next-intl";
import { renew, revoke } from "@/lib/staff/actions";
import type { Delivered, StaffRow } from "@/lib/staff/inputs";
import { DeedDialog } from "./confirm-action-dialog";

type RenewDialogProps = { row: StaffRow; onClose: () => void; onDone: (delivered: Delivered) => void };

export function RenewDialog({ row, onClose, onDone }: RenewDialogProps) {
  const t = useTranslations("staff");
  const { id, name } = row;
  return (
    <DeedDialog
      words={{ title: t("renewTitle", { name }), body: t("renewBody"), submit: t("renewSubmit") }}
      action={renew}
      inputOf={() => ({ invitationId: id })}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

type RevokeDialogProps = { row: StaffRow; onClose: () => void; onDone: () => void };

export function RevokeDialog({ row, onClose, onDone }: RevokeDialogProps) {
  const t = useTranslations("staff");
  const { id, name } = row;
  return (
    <DeedDialog
      words={{ title: t("revokeTitle", { name }), body: t("revokeBody"), submit: t("revokeSubmit") }}
      tone="negative"
      action={revoke}
      inputOf={() => ({ invitationId: id })}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
