"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { Place } from "@/app/(console)/staff/staff-screen";
import { Confirmation } from "@/components/confirmation";
import { Button, buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import type { PersonView } from "@/lib/staff/queries";

const loadDialogs = () => import("./person-dialogs");
// Without ssr: false the dialog would suspend the whole screen while it loads.
const PersonDialog = dynamic(() => loadDialogs().then((loaded) => loaded.PersonDialog), { ssr: false });

export type Managed = Pick<PersonView, "row" | "denials" | "openSessions">;

export type Deed = "roles" | "disable" | "enable" | "reset" | "end";

const LABELS = {
  roles: "changeRoles",
  disable: "disable",
  enable: "enable",
  reset: "resetFactor",
  end: "endSessions",
} as const;

type Control = { deed: Deed; denial: keyof PersonView["denials"] };

/** What can be done to a person who is in this state. */
function controlsOf({ row, openSessions }: Managed): Control[] {
  const isOut = row.state === "disabled";
  return [
    ...(openSessions > 0 ? [{ deed: "end", denial: "access" } as const] : []),
    ...(row.hasSecondFactor ? [{ deed: "reset", denial: "factor" } as const] : []),
    isOut ? { deed: "enable", denial: "enabling" } : { deed: "disable", denial: "access" },
    { deed: "roles", denial: "access" },
  ];
}

type PersonActionsProps = { person: Managed; place: Place };

export function PersonActions({ person, place }: PersonActionsProps) {
  const t = useTranslations("staff");
  const router = useRouter();
  // As the person stood when the dialog opened: what is told of them meanwhile must not change it.
  const [open, setOpen] = useState<{ deed: Deed; subject: Managed } | null>(null);
  const [done, setDone] = useState<string | null>(null);
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
          place={place}
          onClose={() => setOpen(null)}
          onDone={(message) => {
            setOpen(null);
            setDone(message);
            router.refresh();
          }}
        />
      ) : null}
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </>
  );
}
