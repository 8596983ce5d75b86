"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { RoleChoice } from "@/app/(console)/staff/role-choice";
import type { Place } from "@/app/(console)/staff/staff-screen";
import { FormDialog } from "@/components/form-dialog";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/use-action";
import { offeredTo, type Role } from "@/lib/auth/permission";
import { setRoles } from "@/lib/staff/actions";
import type { Managed } from "./person-actions";

type RolesDialogProps = {
  person: Managed;
  place: Place;
  onClose: () => void;
  onDone: (confirmation: string) => void;
};

export function RolesDialog({ person: { row }, place, onClose, onDone }: RolesDialogProps) {
  const t = useTranslations();
  const list = new Intl.ListFormat(useLocale());
  const { pending, failure, run } = useAction(setRoles);
  const [chosen, setChosen] = useState<Role[]>(row.roles);
  const [isChecked, setChecked] = useState(false);
  const isSame = chosen.join() === row.roles.join();
  const missing = chosen.length === 0 ? t("staff.rolesFirst") : isSame ? t("staff.rolesSame") : undefined;

  const submit = (_: HTMLFormElement, intentId: string) => {
    setChecked(true);
    if (missing !== undefined) return;
    const names = list.format(chosen.map((role) => t(`roles.${role}`)));
    run({ intentId, staffId: row.id, roles: chosen, expected: row.roles }, ({ state }) =>
      onDone(t(state === "PROPOSED" ? "staff.rolesProposed" : "staff.rolesDone", { name: row.name, roles: names })),
    );
  };

  return (
    <FormDialog
      title={t("staff.rolesTitle", { name: row.name })}
      description={t("staff.rolesBody", { tenant: place.tenant })}
      submitLabel={t("staff.rolesSubmit")}
      pending={pending}
      error={failure}
      isWritten={!isSame}
      onSubmit={submit}
      onClose={onClose}
    >
      <RoleChoice place={place} chosen={chosen} error={isChecked ? missing : undefined} onChoose={setChosen} />
      <Difference before={row.roles} after={chosen} />
    </FormDialog>
  );
}

/** What the change gives and takes, in words. */
function Difference({ before, after }: { before: readonly Role[]; after: readonly Role[] }) {
  const t = useTranslations();
  const [had, has] = [offeredTo(before), offeredTo(after)];
  const named = (permissions: typeof had) => permissions.map((permission) => t(`permissions.${permission}`)).join("; ");
  const gained = has.filter((permission) => !had.includes(permission));
  const lost = had.filter((permission) => !has.includes(permission));
  return (
    <div aria-live="polite">
      {before.join() === after.join() ? null : (
        <Notice tone="info" className="space-y-1">
          {gained.length === 0 ? null : <p>{t("staff.gains", { permissions: named(gained) })}</p>}
          {lost.length === 0 ? null : <p>{t("staff.loses", { permissions: named(lost) })}</p>}
          <p>{t("staff.rolesEnd")}</p>
        </Notice>
      )}
    </div>
  );
}
