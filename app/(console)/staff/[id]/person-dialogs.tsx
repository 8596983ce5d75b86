"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { DeedDialog } from "@/app/(console)/staff/confirm-action-dialog";
import { LinkDialog } from "@/app/(console)/staff/link-dialog";
import { RoleChoice, type StaffScope } from "@/app/(console)/staff/role-choice";
import { FormDialog } from "@/components/form/form-dialog";
import { useAction } from "@/components/session/use-action";
import { Notice } from "@/components/ui/notice";
import { permissionsOf, type Role } from "@/lib/permission/permission";
import { enable, endSessions, issueLink, resetSecondFactor, setRoles } from "@/lib/staff/actions";
import type { DeliveredLink } from "@/lib/staff/inputs";
import type { PersonView } from "@/lib/staff/queries";
import { DisableDialog } from "./disable-dialog";

export type Managed = Pick<PersonView, "row" | "denials" | "openSessions" | "isLinkShown" | "leaves">;

export type StaffAction = "roles" | "disable" | "enable" | "reset" | "end" | "password";

type RolesDialogProps = {
  person: Managed;
  staffScope: StaffScope;
  onClose: () => void;
  onDone: (confirmation: string) => void;
};

export function RolesDialog({ person: { row }, staffScope, onClose, onDone }: RolesDialogProps) {
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
      description={t("staff.rolesBody", { tenant: staffScope.tenant })}
      submitLabel={t("staff.rolesSubmit")}
      pending={pending}
      error={failure}
      isWritten={!isSame}
      onSubmit={submit}
      onClose={onClose}
    >
      <RoleChoice
        staffScope={staffScope}
        chosen={chosen}
        held={row.roles}
        error={isChecked ? missing : undefined}
        onChoose={setChosen}
      />
      <Difference before={row.roles} after={chosen} />
    </FormDialog>
  );
}

function Difference({ before, after }: { before: readonly Role[]; after: readonly Role[] }) {
  const t = useTranslations();
  const had = permissionsOf(before);
  const has = permissionsOf(after);
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

type PersonDialogProps = {
  deed: StaffAction;
  person: Managed;
  staffScope: StaffScope;
  onClose: () => void;
  onDone: (confirmation: string) => void;
  onIssued: (delivered: DeliveredLink) => void;
};

export function PersonDialog({ deed, person, staffScope, onClose, onDone, onIssued }: PersonDialogProps) {
  const t = useTranslations();
  const { id: staffId, name, email, roles } = person.row;
  const given = { inputOf: () => ({ staffId }), onClose };
  const done = (message: "enabledDone" | "resetDone" | "resetProposed") => () =>
    onDone(t(`staff.${message}`, { name }));
  const words = (about: "disable" | "enable" | "reset" | "end") => ({
    title: t(`staff.${about}Title`, { name }),
    body: t(`staff.${about}Body`, {
      tenant: staffScope.tenant,
      roles: roles.map((role) => t(`roles.${role}`)).join(", "),
    }),
    submit: t(`staff.${about}Submit`),
  });
  if (deed === "roles")
    return <RolesDialog person={person} staffScope={staffScope} onClose={onClose} onDone={onDone} />;
  if (deed === "disable")
    return <DisableDialog words={words("disable")} person={person} onClose={onClose} onDone={onDone} />;
  if (deed === "enable") {
    return <DeedDialog {...given} words={words("enable")} action={enable} onDone={done("enabledDone")} />;
  }
  if (deed === "password") {
    const body = t(person.isLinkShown ? "staff.issueShownBody" : "staff.issueMailedBody", { email });
    const asked = { title: t("staff.issueTitle", { name }), body, submit: t("staff.issueSubmit") };
    return <DeedDialog {...given} words={asked} action={issueLink} onDone={onIssued} />;
  }
  if (deed === "reset") {
    const doing = { words: words("reset"), tone: "negative", action: resetSecondFactor } as const;
    const inputOf = (intentId: string) => ({ intentId, staffId });
    const reset = ({ state }: { state: string }) => done(state === "PROPOSED" ? "resetProposed" : "resetDone")();
    return <DeedDialog {...doing} inputOf={inputOf} onClose={onClose} onDone={reset} />;
  }
  const ended = (count: number) => onDone(t("staff.endDone", { count }));
  return <DeedDialog {...given} words={words("end")} action={endSessions} onDone={ended} />;
}

type PasswordLinkDialogProps = { delivered: DeliveredLink; onClose: () => void };

export function PasswordLinkDialog({ delivered, onClose }: PasswordLinkDialogProps) {
  const t = useTranslations("staff");
  const { name, link, expiresAt } = delivered;
  return (
    <LinkDialog
      words={{ title: t("passwordLinkTitle", { name }), body: t("passwordLinkBody") }}
      link={link}
      expiresAt={expiresAt}
      notice={<Notice tone="info">{t("mailOff")}</Notice>}
      onClose={onClose}
    />
  );
}
