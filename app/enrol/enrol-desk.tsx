"use client";

import { type ReactNode, useMemo } from "react";
import { DeskContext } from "@/components/session/desk";
import { createUnsaved } from "@/components/session/desk";

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
