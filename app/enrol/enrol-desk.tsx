"use client";

import { type ReactNode, useMemo } from "react";
import { createUnsaved, DeskContext } from "@/components/session/desk";
import { startRequiredEnrolment } from "@/lib/auth/actions";
import { EnrolmentSteps } from "./enrolment-steps";

/** A whole page load at the end. */
export const RequiredEnrolment = ({ leadsTo }: { leadsTo: string }) => (
  <EnrolmentSteps start={startRequiredEnrolment} onDone={() => window.location.assign(leadsTo)} />
);

const nothing = () => undefined;
const findWhere = async () => "unknown" as const;

export function EnrolDesk({ id, children }: { id: string; children: ReactNode }) {
  const hold = useMemo(
    () => ({
      id,
      look: nothing,
      findWhere,
      refresh: nothing,
      announce: nothing,
      announceEnd: nothing,
      unsaved: createUnsaved(),
    }),
    [id],
  );
  return <DeskContext value={hold}>{children}</DeskContext>;
}
