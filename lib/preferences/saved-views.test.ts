import { randomUUID } from "node:crypto";
import { asc } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "@/lib/permission/grant";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { changeOne, saveOne, removeOne } from "./saved-views";
import { SavingView, VIEWS_MAX } from "./inputs";
import { savedView } from "@/lib/db/tables/preferences";

let db: Db;
let me: Actor;
let colleague: Actor;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  me = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:read");
  colleague = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:read");
});

const view = (changes: Partial<SavingView> = {}): SavingView => ({
  id: randomUUID(),
  area: "kyc",
  name: "Urgentes",
  search: "view=due",
  isDefault: false,
  ...changes,
});
const stored = async () =>
  (await db.select().from(savedView).orderBy(asc(savedView.createdAt))).map(({ name, isDefault }) => ({
    name,
    isDefault,
  }));

const tenNames = Array.from({ length: 10 }, (_, n) => `Nova ${n}`);

describe("a filter that somebody keeps", () => {
  it("saves a filter once, however often it is sent", async () => {
    const wanted = view();
    await saveOne(me, wanted);
    await saveOne(me, wanted);
    expect(await stored()).toEqual([{ name: "Urgentes", isDefault: false }]);
    expect((await db.select().from(auditEvent)).map(({ code }) => code)).toEqual(["view.keep"]);
  });

  it("requires a filter's name to be unique among the person's in that list", async () => {
    await saveOne(me, view());
    await expect(saveOne(me, view({ name: "URGENTES" }))).rejects.toMatchObject({
      kind: "invalid",
      details: { issues: [{ path: ["name"], params: { code: "repeated" } }] },
    });
    await saveOne(me, view({ area: "onboarding" }));
    await saveOne(colleague, view());
    expect(await stored()).toHaveLength(3);
  });

  it("replaces a list's default filter by another", async () => {
    await saveOne(me, view({ isDefault: true }));
    const second = view({ name: "Da semana" });
    await saveOne(me, second);
    await changeOne(me, { id: second.id, name: "Semana", isDefault: true });
    expect(await stored()).toEqual([
      { name: "Urgentes", isDefault: false },
      { name: "Semana", isDefault: true },
    ]);
  });

  it("lets nobody else change or delete a filter", async () => {
    const mine = view();
    await saveOne(me, mine);
    const change = { id: mine.id, name: "Outro", isDefault: false };
    await expect(changeOne(colleague, change)).rejects.toMatchObject({ kind: "not-found" });
    await expect(removeOne(colleague, mine)).rejects.toMatchObject({ kind: "not-found" });
    await removeOne(me, mine);
    expect(await stored()).toEqual([]);
  });

  it("limits a person to twenty filters", async () => {
    for (let n = 0; n < VIEWS_MAX; n += 1) await saveOne(me, view({ name: `Visão ${n}` }));
    await expect(saveOne(me, view())).rejects.toMatchObject({ details: { code: "views-full" } });
  });

  it("saves at most twenty filters when ten are saved together", async () => {
    for (let n = 0; n < VIEWS_MAX - 5; n += 1) await saveOne(me, view({ name: `Visão ${n}` }));
    const at = await Promise.allSettled(tenNames.map((name) => saveOne(me, view({ name }))));
    expect(at.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    for (const one of at.filter(({ status }) => status === "rejected"))
      expect(one).toMatchObject({ reason: { details: { code: "views-full" } } });
    expect(await stored()).toHaveLength(VIEWS_MAX);
  });

  it("keeps one default per list for ten concurrent changes", async () => {
    await Promise.all(tenNames.map((name) => saveOne(me, view({ name, isDefault: true }))));
    const ids = (await db.select().from(savedView)).map(({ id }) => id);
    await Promise.all(ids.map((id, n) => changeOne(me, { id, name: `Visão ${n}`, isDefault: true })));
    expect((await stored()).filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });

  it("saves one filter for ten concurrent requests, and refuses the others", async () => {
    const at = await Promise.allSettled(tenNames.map(() => saveOne(me, view())));
    for (const one of at.filter(({ status }) => status === "rejected"))
      expect(one).toMatchObject({ reason: { kind: "invalid" } });
    expect(await stored()).toHaveLength(1);
  });

  it("accepts a filter's id for nothing and nobody else", async () => {
    const mine = view();
    await Promise.all(tenNames.map(() => saveOne(me, mine)));
    const reused = { kind: "conflict", details: { code: "intent-reused" } };
    await expect(saveOne(me, { ...mine, search: "view=mine" })).rejects.toMatchObject(reused);
    await expect(saveOne(colleague, mine)).rejects.toMatchObject(reused);
    expect(await stored()).toHaveLength(1);
  });

  it.each([
    { name: "529.982.247-25" },
    { search: "search=529.982.247-25" },
    { search: "search=52998224725" },
    { name: " " },
  ])("requires a filter's name and refuses documents: %o", (changes) => {
    expect(SavingView.safeParse(view(changes)).success).toBe(false);
  });
});
