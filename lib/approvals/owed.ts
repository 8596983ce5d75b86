import { and, eq, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { db, type Tx } from "@/lib/db/connection";
import { publishAll } from "@/lib/db/publish";
import { approval } from "@/lib/db/tables/approvals";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import type { Seeing } from "./inputs";
import { type ApprovalOwed, NEWS_STATES } from "./view";
import { decidedBy } from "./visible";

type Reader = Pick<Actor, "tenant" | "id" | "roles">;

const isUnseen = and(isNull(approval.makerSawAt), inArray(approval.state, [...NEWS_STATES]));

/** What a request wants of this reader: each is one of these, or none. */
function owedBy(reader: Reader): Record<ApprovalOwed, SQL | undefined> {
  const isOwn = eq(approval.makerId, reader.id);
  return {
    decide: and(
      eq(approval.state, "PENDING"),
      ne(approval.makerId, reader.id),
      inArray(approval.kind, decidedBy(reader)),
    ),
    complete: and(isOwn, eq(approval.state, "READY")),
    result: and(isOwn, isUnseen),
  };
}

export const isOwed = (reader: Reader): SQL | undefined => or(...Object.values(owedBy(reader)));

export function owedAs(reader: Reader): SQL<ApprovalOwed | null> {
  const { decide, complete, result } = owedBy(reader);
  return sql`case when ${decide} then 'decide' when ${complete} then 'complete' when ${result} then 'result' end`;
}

/** Returns how many of these are the maker's. */
export async function noteSeen(tx: Tx, { tenant, id }: Reader, approvalIds: readonly string[]): Promise<number> {
  const isIts = and(eq(approval.tenant, tenant), eq(approval.makerId, id), inArray(approval.id, [...approvalIds]));
  const seen = await tx
    .update(approval)
    .set({ makerSawAt: sql`clock_timestamp()` })
    .where(and(isIts, isUnseen))
    .returning({ object: approval.id });
  await publishAll(tx, { tenant, topic: "approvals", objects: seen.map(({ object }) => object) });
  return tx.$count(approval, isIts);
}

/** The maker has seen how these ended. Throws not-found where none is theirs. */
export async function seeResults(
  actor: Actor<"approvals:read">,
  { approvalIds }: z.output<typeof Seeing>,
): Promise<null> {
  const own = await (await db()).transaction((tx) => noteSeen(tx, actor, approvalIds));
  if (own === 0) throw new AppError("not-found", { code: "approval" });
  return null;
}
