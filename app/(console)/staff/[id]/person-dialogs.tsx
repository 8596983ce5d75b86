"use client";

import { useTranslations } from "next-intl";
import { DeedDialog } from "@/app/(console)/staff/deed-dialog";
import type { Place } from "@/app/(console)/staff/staff-screen";
import { LinkDialog } from "@/app/(console)/staff/link-dialog";
import { Notice } from "@/components/ui/notice";
import { disable, enable, endSessions, issueLink, resetSecondFactor } from "@/lib/staff/actions";
import type { DeliveredLink } from "@/lib/staff/rules";
import type { Deed, Managed } from "./person-actions";
import { RolesDialog } from "./roles-dialog";

type PersonDialogProps = {
  deed: Deed;
  person: Managed;
  place: Place;
  onClose: () => void;
  onDone: (confirmation: string) => void;
  onIssued: (delivered: DeliveredLink) => void;
};

/** The one dialog of what is to be done to this person. */
export function PersonDialog({ deed, person, place, onClose, onDone, onIssued }: PersonDialogProps) {
  const t = useTranslations();
  const { id: staffId, name, email, roles } = person.row;
  const given = { inputOf: () => ({ staffId }), onClose };
  const done = (message: "disabledDone" | "enabledDone" | "resetDone" | "resetProposed") => () =>
    onDone(t(`staff.${message}`, { name }));
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
  const told = (count: number) => onDone(t("staff.endDone", { count }));
  return <DeedDialog {...given} words={words("end")} action={endSessions} onDone={told} />;
}

type PasswordLinkDialogProps = { delivered: DeliveredLink; onClose: () => void };

/** The only time that the link is shown. */
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
