import { randomUUID } from "node:crypto";
import { givenCase } from "@/lib/kyc/testing";
import { actorOf } from "@/lib/testing";
import { saveOne } from "@/lib/preferences/saved-views";
import type { Act } from "./acts-testing";

const whole = { search: "", slice: null };
const bulk = () => ({ bulkId: randomUUID(), selection: { search: whole.search }, slice: whole.slice });

const view = () => ({ id: randomUUID(), area: "kyc" as const, name: "Urgentes", search: "view=due", isDefault: false });

const withView =
  (change: object): Act =>
  async ({ seatOf }) => {
    const by = await seatOf("compliance");
    const { id } = await saveOne(actorOf("compliance", by.staffId, "kyc:read"), view());
    return { by, input: { id, ...change } };
  };

/** The ways in which many cases change at once, and in which people keep filters. */
export const QUEUE_ACTS: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  "kyc.assignCases": {
    "assigning all of a filter": async ({ db, seatOf }) => {
      await givenCase(db);
      const by = await seatOf("compliance");
      return { by, input: { ...bulk(), to: by.staffId } };
    },
  },
  "kyc.tagCases": {
    "tagging all of a filter": async ({ db, seatOf }) => {
      await givenCase(db);
      return { by: await seatOf("compliance"), input: { ...bulk(), tag: "pep", isRemoved: false } };
    },
    "taking a tag off": async ({ db, seatOf }) => {
      await givenCase(db, { tags: ["pep"] });
      return { by: await seatOf("compliance"), input: { ...bulk(), tag: "pep", isRemoved: true } };
    },
  },
  "preferences.changeView": { "renaming a filter": withView({ name: "Outros", isDefault: true }) },
  "preferences.saveView": {
    "keeping a filter": async ({ seatOf }) => ({ by: await seatOf("compliance"), input: view() }),
  },
  "preferences.removeView": { "forgetting a filter": withView({}) },
};
