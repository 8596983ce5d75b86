import { unseal, unsealedOrNull } from "@/lib/db/seal";
import type { deposit } from "@/lib/db/tables/deposits";
import { sha256 } from "@/lib/text/decode";
import { depositTarget } from "./keep";

type DepositRow = typeof deposit.$inferSelect;

/** What people wrote of a deposit; a note that does not open is none. */
export type Handled = Pick<DepositRow, "ownerId" | "reason"> & { note: string | null };

export function handledOf({ tenant, id, ownerId, reason, noteSealed: sealed }: DepositRow): Handled {
  const target = depositTarget("note_sealed", { tenant, id });
  return { ownerId, reason, note: sealed === null ? null : unsealedOrNull(() => unseal(sealed, target)) };
}

/** No spreadsheet takes it for a number. */
const spelt = (...parts: readonly (string | null)[]) => `v${sha256(JSON.stringify(parts)).slice(0, 12)}`;

/** Of all that a person may change. */
export const handlingVersion = ({ ownerId, reason, note }: Handled): string => spelt(ownerId, reason, note);

/** Of what a file may change: who took the deposit on since is overwritten by none. */
export const textVersion = ({ reason, note }: Pick<Handled, "reason" | "note">): string => spelt(reason, note);
