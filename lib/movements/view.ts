import type { MovementFormat, MovementState, Totals } from "@/lib/db/enums/movements";

/** `unknown`: what was typed and fits no account. */
export type MovementPlan = { accounts: number; calls: number; minutes: number; unknown: string[] };

export type MovementExportRow = {
  id: string;
  format: MovementFormat;
  from: string;
  to: string;
  state: MovementState;
  byName: string;
  createdAt: string;
  finishedAt: string | null;
  expiresAt: string | null;
  accounts: number;
  read: number;
  unread: string[];
  plannedCalls: number;
  plannedMinutes: number;
  totals: Totals | null;
  sha256: string | null;
  sizeBytes: number | null;
};
