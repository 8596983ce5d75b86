import { and, count, eq, ne } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { db, type Tx } from "@/lib/db/connection";
import { type ChangingView, type SavingView, type RemovingView, VIEWS_MAX } from "./inputs";
import { savedView } from "@/lib/db/tables/preferences";

type Owner = Pick<Actor, "tenant" | "id">;
type Area = typeof savedView.$inferSelect.area;

const ownIn = ({ tenant, id }: Owner, area: Area) =>
  and(eq(savedView.tenant, tenant), eq(savedView.staffId, id), eq(savedView.area, area));

const ownOne = ({ tenant, id: staffId }: Owner, id: string) =>
  and(eq(savedView.tenant, tenant), eq(savedView.staffId, staffId), eq(savedView.id, id));

const nameTaken = () => new AppError("invalid", { issues: [{ path: ["name"], params: { code: "repeated" } }] });

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

/** Idempotent. Throws invalid for a name in use, conflict `views-full`. */
export async function saveOne(
  owner: Owner,
  { id, area, name, search, isDefault }: SavingView,
): Promise<{ id: string }> {
  return (await db()).transaction(async (tx) => {
    const [mine] = await tx.select({ id: savedView.id }).from(savedView).where(ownOne(owner, id));
    if (mine !== undefined) return { id };
    await requireFreeName(tx, owner, { id, area, name });
    const [stored] = await tx.select({ n: count() }).from(savedView).where(ownIn(owner, area));
    if ((stored?.n ?? 0) >= VIEWS_MAX) throw new AppError("conflict", { code: "views-full" });
    if (isDefault) await clearDefault(tx, owner, area);
    await tx.insert(savedView).values({ tenant: owner.tenant, id, staffId: owner.id, area, name, search, isDefault });
    await onRecord(tx, owner, { code: "view.keep", id, area });
    return { id };
  });
}

/** Throws not-found, and invalid for a name in use. */
export async function changeOne(owner: Owner, { id, name, isDefault }: ChangingView): Promise<{ id: string }> {
  return (await db()).transaction(async (tx) => {
    const [mine] = await tx.select().from(savedView).where(ownOne(owner, id)).for("update");
    if (mine === undefined) throw new AppError("not-found", { code: "view" });
    const { area } = mine;
    await requireFreeName(tx, owner, { id, area, name });
    if (isDefault) await clearDefault(tx, owner, area);
    await tx.update(savedView).set({ name, isDefault }).where(ownOne(owner, id));
    await onRecord(tx, owner, { code: "view.change", id, area });
    return { id };
  });
}

export async function removeOne(owner: Owner, { id }: RemovingView): Promise<null> {
  return (await db()).transaction(async (tx) => {
    const [gone] = await tx.delete(savedView).where(ownOne(owner, id)).returning({ area: savedView.area });
    if (gone === undefined) throw new AppError("not-found", { code: "view" });
    await onRecord(tx, owner, { code: "view.remove", id, area: gone.area });
    return null;
  });
}
