import { and, eq, notExists, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import type { Db, Tx } from "@/lib/db/connection";
import { outcomeExclusion } from "@/lib/db/tables/outcomes";
import { concludeIntent, type RecoverableKind } from "./intent-record";

type Request = { tenant: string; intentId: string };

export const isNotRuledOut = (store: Db | Tx, { tenant, intentId }: Request, candidate: AnyPgColumn | SQL): SQL => {
  const isIt = and(
    eq(outcomeExclusion.tenant, tenant),
    eq(outcomeExclusion.intentId, intentId),
    eq(outcomeExclusion.candidate, candidate),
  );
  return notExists(store.select({ intentId: outcomeExclusion.intentId }).from(outcomeExclusion).where(isIt));
};

type Linking = { intentId: string; kind: RecoverableKind; isLinked: boolean; settledCode: string };

/** A person has linked the result. Throws conflict when it cannot be linked, or the write has ended. */
export async function concludeLinked(
  tx: Tx,
  { tenant, id: by }: Actor,
  { intentId, kind, isLinked, settledCode }: Linking,
): Promise<void> {
  const intent = { tenant, id: intentId };
  const ended = isLinked && (await concludeIntent(tx, { intent, kind, by, hasHappened: true }));
  if (!ended) throw new AppError("conflict", { code: settledCode });
}
