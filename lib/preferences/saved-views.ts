import { and, eq, inArray, ne } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError, invalidField } from "@/lib/errors/app-error";
import { db, type Tx } from "@/lib/db/connection";
import { holdLock } from "@/lib/db/lock";
import { type ChangingView, type SavingView, type RemovingView, VIEWS_MAX } from "./inputs";
import { savedView } from "@/lib/db/tables/preferences";
import { can, type Role } from "@/lib/permission/permission";
import { VIEW_PERMISSIONS } from "./view";

type Owner = Pick<Actor, "tenant" | "id">;
type Area = typeof savedView.$inferSelect.area;

const ownIn = ({ tenant, id }: Owner, area: Area) =>
  and(eq(savedView.tenant, tenant), eq(savedView.staffId, id), eq(savedView.area, area));

const ownOne = ({ tenant, id: staffId }: Owner, id: string) =>
  and(eq(savedView.tenant, tenant), eq(savedView.staffId, staffId), eq(savedView.id, id));

const reused = () => new AppError("conflict", { code: "intent-reused" });

const nameTaken = () => invalidField("name", "repeated");

async function requireFreeName(tx: Tx, owner: Owner, view: { id: string; area: Area; name: string }): Promise<void> {
  const others = await tx
    .select({ name: savedView.name })
    .from(savedView)
    .where(and(ownIn(owner, view.area), ne(savedView.id, view.id)));
  if (others.some(({ name }) => name.toLowerCase() === view.name.toLowerCase())) throw nameTaken();
}

async function clearDefault(tx: Tx, owner: Owner, area: Area): Promise<void> {
  await tx.update(savedView).set({ isDefault: false }).where(ownIn(owner, area));
}

const onRecord = (
  tx: Tx,
  { tenant, id: actor }: Owner,
  what: { code: "view.keep" | "view.change" | "view.remove"; id: string; area: Area },
) =>
  record(tx, {
    tenant,
    actor,
    code: what.code,
    outcome: "DONE",
    object: `view:${what.id}`,
    detail: { area: what.area },
  });

const inTurn = async <T>(owner: Owner, change: (tx: Tx) => Promise<T>): Promise<T> =>
  (await db()).transaction(async (tx) => {
    await holdLock(tx, `${owner.tenant} saved views ${owner.id}`);
    return change(tx);
  });

/** Idempotent. Throws invalid for a name in use, conflict `views-full` and `intent-reused`. */
export async function saveOne(
  owner: Owner,
  { id, area, name, search, isDefault }: SavingView,
): Promise<{ id: string }> {
  return inTurn(owner, async (tx) => {
    const [mine] = await tx.select().from(savedView).where(ownOne(owner, id));
    if (mine !== undefined && mine.area === area && mine.search === search) return { id };
    if (mine !== undefined) throw reused();
    await requireFreeName(tx, owner, { id, area, name });
    if ((await tx.$count(savedView, ownIn(owner, area))) >= VIEWS_MAX)
      throw new AppError("conflict", { code: "views-full" });
    if (isDefault) await clearDefault(tx, owner, area);
    const view = { tenant: owner.tenant, id, staffId: owner.id, area, name, search, isDefault };
    const target = [savedView.tenant, savedView.id];
    const kept = await tx
      .insert(savedView)
      .values(view)
      .onConflictDoNothing({ target })
      .returning({ id: savedView.id });
    if (kept.length === 0) throw reused();
    await onRecord(tx, owner, { code: "view.keep", id, area });
    return { id };
  });
}

/** Throws not-found, and invalid for a name in use. */
export async function changeOne(owner: Owner, { id, name, isDefault }: ChangingView): Promise<{ id: string }> {
  return inTurn(owner, async (tx) => {
    const [mine] = await tx.select().from(savedView).where(ownOne(owner, id));
    if (mine === undefined) throw new AppError("not-found", { code: "view" });
    const { area } = mine;
    await requireFreeName(tx, owner, { id, area, name });
    if (isDefault) await clearDefault(tx, owner, area);
    await tx.update(savedView).set({ name, isDefault }).where(ownOne(owner, id));
    await onRecord(tx, owner, { code: "view.change", id, area });
    return { id };
  });
}

type Handed = { tenant: string; from: string; to: string; roles: readonly Role[] };

/** Of lists that the colleague reads, under names that are free there, within the limit; the rest stays. */
export async function handOverViews(tx: Tx, { tenant, from, to, roles }: Handed): Promise<number> {
  for (const id of [from, to].toSorted()) await holdLock(tx, `${tenant} saved views ${id}`);
  const both = and(eq(savedView.tenant, tenant), inArray(savedView.staffId, [from, to]));
  const rows = await tx.select().from(savedView).where(both).orderBy(savedView.createdAt, savedView.id);
  const theirs = new Map<Area, Set<string>>();
  const namesIn = (area: Area) => theirs.get(area) ?? new Set<string>();
  const add = (area: Area, name: string) => theirs.set(area, namesIn(area).add(name.toLowerCase()));
  for (const { staffId, area, name } of rows) if (staffId === to) add(area, name);
  const handed = rows.filter(({ staffId, area, name }) => {
    const names = namesIn(area);
    const isFree = !names.has(name.toLowerCase()) && names.size < VIEWS_MAX && can(roles, VIEW_PERMISSIONS[area]);
    if (staffId !== from || !isFree) return false;
    add(area, name);
    return true;
  });
  const ids = handed.map(({ id }) => id);
  await tx
    .update(savedView)
    .set({ staffId: to, isDefault: false })
    .where(and(eq(savedView.tenant, tenant), inArray(savedView.id, ids)));
  return handed.length;
}

export async function removeOne(owner: Owner, { id }: RemovingView): Promise<null> {
  return inTurn(owner, async (tx) => {
    const [gone] = await tx.delete(savedView).where(ownOne(owner, id)).returning({ area: savedView.area });
    if (gone === undefined) throw new AppError("not-found", { code: "view" });
    await onRecord(tx, owner, { code: "view.remove", id, area: gone.area });
    return null;
  });
}
