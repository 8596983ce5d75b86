"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/form/form-dialog";
import { TextField } from "@/components/ui/field";
import { useAction } from "@/components/session/use-action";
import type { Role } from "@/lib/permission/permission";
import { invitePerson } from "@/lib/staff/actions";
import type { Delivered } from "@/lib/staff/inputs";
import { RoleChoice, type StaffScope } from "./role-choice";

type InviteDialogProps = {
  staffScope: StaffScope;
  onClose: () => void;
  onDone: (made: Delivered | { state: "PROPOSED"; name: string }) => void;
};

export function InviteDialog({ staffScope, onClose, onDone }: InviteDialogProps) {
  const t = useTranslations("staff");
  const { pending, failure, run } = useAction(invitePerson);
  const [typed, setTyped] = useState({ name: "", email: "" });
  const [roles, setRoles] = useState<Role[]>([]);
  const [isChecked, setChecked] = useState(false);
  const rolesError = isChecked && roles.length === 0 ? t("rolesFirst") : failure?.fields?.["roles"];

  const submit = (_: HTMLFormElement, intentId: string) => {
    setChecked(true);
    run({ intentId, ...typed, roles }, (made) =>
      onDone("state" in made ? { state: made.state, name: typed.name } : made),
    );
  };

  return (
    <FormDialog
      title={t("inviteTitle")}
      description={t("inviteBody")}
      submitLabel={t("inviteSubmit")}
      pending={pending}
      error={failure}
      isWritten={typed.name !== "" || typed.email !== "" || roles.length > 0}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t("name")}
        name="name"
        autoComplete="off"
        value={typed.name}
        error={failure?.fields?.["name"]}
        onChange={(event) => setTyped({ ...typed, name: event.target.value })}
      />
      <TextField
        label={t("email")}
        hint={t("emailHint")}
        type="email"
        name="email"
        autoComplete="off"
        value={typed.email}
        error={failure?.fields?.["email"]}
        onChange={(event) => setTyped({ ...typed, email: event.target.value })}
      />
      <RoleChoice staffScope={staffScope} chosen={roles} held={[]} error={rolesError} onChoose={setRoles} />
    </FormDialog>
  );
}
