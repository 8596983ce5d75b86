import { setImmediate as othersTurn } from "node:timers/promises";
import { asc } from "drizzle-orm";
import { vi } from "vitest";
import { record } from "@/lib/audit/record";
import type { Db } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";

/** The audit codes in order, after somebody signed in while the first of the work's transactions was open. */
export async function signedInBeside(db: Db, work: () => Promise<unknown>): Promise<string[]> {
  const begin = db.transaction.bind(db);
  let signingIn: Promise<void> | undefined;
  vi.spyOn(db, "transaction").mockImplementationOnce((...asked) => {
    const open = begin(...asked);
    // Like a real request, after a turn of the event loop.
    signingIn = othersTurn().then(() =>
      record(db, { tenant: "aurora", actor: "somebody", code: "session.open", outcome: "DONE" }),
    );
    return open;
  });
  await work();
  await signingIn;
  const rows = await db.select({ code: auditEvent.code }).from(auditEvent).orderBy(asc(auditEvent.seq));
  return rows.map(({ code }) => code);
}

/** From its second transaction on the store answers nothing, until restored. */
export function losingStore(db: Db): { restore: () => void } {
  const begin = db.transaction.bind(db);
  const losing = vi.spyOn(db, "transaction").mockRejectedValue(new Error("the store is gone"));
  losing.mockImplementationOnce(begin);
  return { restore: () => losing.mockRestore() };
}
