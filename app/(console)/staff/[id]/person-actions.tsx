"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { StaffScope } from "@/app/(console)/staff/role-choice";
import { Confirmation } from "@/components/layout/confirmation";
import { Button, buttonClass } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import { DeniedButton } from "@/components/ui/denied-button";
import { Notice } from "@/components/ui/notice";
import type { PersonView } from "@/lib/staff/queries";
import type { DeliveredLink } from "@/lib/staff/inputs";
import type { Managed, StaffAction } from "./person-dialogs";

const loadDialogs = () => import("./person-dialogs");
const PersonDialog = deferred(() => loadDialogs().then((loaded) => loaded.PersonDialog));

const PasswordLinkDialog = deferred(() => loadDialogs().then((loaded) => loaded.PasswordLinkDialog));

const LABELS = {
  roles: "changeRoles",
  disable: "disable",
  enable: "enable",
  reset: "resetFactor",
  end: "endSessions",
  password: "issueLink",
} as const;

type Control = { deed: StaffAction; denial: keyof PersonView["denials"] };

function controlsOf({ row, openSessions }: Managed): Control[] {
  const isOut = row.state === "disabled";
  return [
    ...(openSessions > 0 ? [{ deed: "end", denial: "access" } as const] : []),
    ...(row.hasSecondFactor ? [{ deed: "reset", denial: "factor" } as const] : []),
    ...(isOut ? [] : [{ deed: "password", denial: "password" } as const]),
    isOut ? { deed: "enable", denial: "enabling" } : { deed: "disable", denial: "access" },
    { deed: "roles", denial: "access" },
  ];
}

type PersonActionsProps = { person: Managed; staffScope: StaffScope };

export function PersonActions({ person, staffScope }: PersonActionsProps) {
  const t = useTranslations("staff");
  const router = useRouter();
  // The person as seen on opening; later changes must not alter the request.
  const [open, setOpen] = useState<{ deed: StaffAction; subject: Managed } | null>(null);
  const [done, setDone] = useState<{ words: string; hasFailed: boolean } | null>(null);
  const [issued, setIssued] = useState<DeliveredLink | null>(null);
  const ended = (words: string, hasFailed = false) => {
    setOpen(null);
    setDone({ words, hasFailed });
    router.refresh();
  };
  const linkIssued = (delivered: DeliveredLink) => {
    const { email, mail, link } = delivered;
    if (link === null) return ended(t(mail === "sent" ? "mailSent" : "linkMailFailed", { email }), mail !== "sent");
    setOpen(null);
    setIssued(delivered);
    router.refresh();
  };
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {controlsOf(person).map(({ deed, denial }) => {
          const why = person.denials[denial];
          const tone = deed === "roles" ? "primary" : "plain";
          return why === null ? (
            <Button
              key={deed}
              tone={tone}
              onClick={() => setOpen({ deed, subject: person })}
              onFocus={() => void loadDialogs()}
              onPointerEnter={() => void loadDialogs()}
            >
              {t(LABELS[deed])}
            </Button>
          ) : (
            <DeniedButton key={deed} reason={t(`denials.${why}`)} className={buttonClass("plain")}>
              {t(LABELS[deed])}
            </DeniedButton>
          );
        })}
      </div>
      {open ? (
        <PersonDialog
          deed={open.deed}
          person={open.subject}
          staffScope={staffScope}
          onClose={() => setOpen(null)}
          onDone={ended}
          onIssued={linkIssued}
        />
      ) : null}
      {issued ? <PasswordLinkDialog delivered={issued} onClose={() => setIssued(null)} /> : null}
      {done?.hasFailed ? (
        <Notice tone="warning" live="assertive" className="mt-2">
          {done.words}
        </Notice>
      ) : null}
      <Confirmation onDismiss={() => setDone(null)}>{done?.hasFailed ? null : done?.words}</Confirmation>
    </>
  );
}
