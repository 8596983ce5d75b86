"use client";

import { useTranslations } from "next-intl";
import { DeedDialog } from "@/app/(console)/staff/deed-dialog";
import type { Place } from "@/app/(console)/staff/staff-screen";
import { disable, enable, endSessions, resetSecondFactor } from "@/lib/staff/actions";
import type { Deed, Managed } from "./person-actions";
import { RolesDialog } from "./roles-dialog";

type PersonDialogProps = {
  deed: Deed;
  person: Managed;
  place: Place;
  onClose: () => void;
  onDone: (confirmation: string) => void;
};

/** The one dialog of what is to be done to this person. */
export function PersonDialog({ deed, person, place, onClose, onDone }: PersonDialogProps) {
  const t = useTranslations();
  const { id: staffId, name, roles } = person.row;
  const given = { input: { staffId }, onClose };
  const done = (message: "disabledDone" | "enabledDone" | "resetDone") => () => onDone(t(`staff.${message}`, { name }));
  const words = (about: "disable" | "enable" | "reset" | "end") => ({
    title: t(`staff.${about}Title`, { name }),
    body: t(`staff.${about}Body`, {
      tenant: place.tenant,
      roles: roles.map((role) => t(`roles.${role}`)).join(", "),
    }),
    submit: t(`staff.${about}Submit`),
  });
  if (deed === "roles") return <RolesDialog person={person} place={place} onClose={onClose} onDone={onDone} />;
  if (deed === "disable") {
    const doing = { words: words("disable"), tone: "negative", action: disable } as const;
    return <DeedDialog {...given} {...doing} onDone={done("disabledDone")} />;
  }
  if (deed === "enable") {
    return <DeedDialog {...given} words={words("enable")} action={enable} onDone={done("enabledDone")} />;
  }
  if (deed === "reset") {
    const doing = { words: words("reset"), tone: "negative", action: resetSecondFactor } as const;
    return <DeedDialog {...given} {...doing} onDone={done("resetDone")} />;
  }
  const told = (count: number) => onDone(t("staff.endDone", { count }));
  return <DeedDialog {...given} words={words("end")} action={endSessions} onDone={told} />;
}
