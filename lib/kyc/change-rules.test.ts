import { APPROVABLE_WRITES } from "@/lib/writes/approvable";
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { authorise } from "@/lib/approvals/decide";
import { approval } from "@/lib/db/tables/approvals";
import { readSnapshot } from "@/lib/approvals/snapshot";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { type CaseRulesForm, caseRulesOf, readCaseRules } from "./case-rules";
import { STANDARD_RULES } from "./standard-rules-view";
import { orderRulesChange } from "./change-rules";

let db: Db;
let first = "";
let second = "";
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  [first, second] = [await givenStaff(db, "admin"), await givenStaff(db, "admin")];
});

const { checklist, stoppedWords } = STANDARD_RULES;
const [item, ...items] = checklist.PF;
if (item === undefined) throw new Error("the standard checklist is empty");

const ordering = (changes: Partial<CaseRulesForm>, by = first) =>
  orderRulesChange(actorOf("admin", by, "settings:manage"), {
    ...STANDARD_RULES,
    version: 0,
    ...changes,
    intentId: randomUUID(),
  });
const withFirst = (changed: Partial<CaseRulesForm["checklist"]["PF"][number]>) => ({
  ...checklist,
  PF: [{ ...item, ...changed }, ...items],
});
const inForce = async () => (await caseRulesOf(db, "aurora")).version;

async function proposed(changes: Partial<CaseRulesForm>): Promise<string> {
  const answer = await ordering(changes);
  if (!("approvalId" in answer)) throw new Error("it took effect");
  return answer.approvalId;
}
const agreeing = (approvalId: string) =>
  authorise(APPROVABLE_WRITES, actorOf("admin", second, "staff:manage"), { approvalId });

describe("one administrator alone", () => {
  it.each<[string, Partial<CaseRulesForm>]>([
    ["empties no checklist", { checklist: { PF: [], PJ: [] } }],
    ["takes no item away", { checklist: { ...checklist, PF: items } }],
    ["rewords no item", { checklist: withFirst({ text: "Conferido" }) }],
    ["makes no item one of other cases", { checklist: withFirst({ process: "kyc-backgroundcheck" }) }],
    ["puts no item in the place of another", { checklist: { ...checklist, PF: [{ ...item, code: null }, ...items] } }],
    ["empties no list of blocked terms", { stoppedWords: [] }],
    ["puts no blocked term in the place of another", { stoppedWords: [...stoppedWords.slice(1), "outra palavra"] }],
  ])("needs a second administrator: %s", async (_, changes) => {
    expect(await ordering(changes)).toMatchObject({ state: "PROPOSED" });
    expect(await inForce()).toBe(0);
  });

  it("adds checks and terms, and edits deadlines and reasons, at once", async () => {
    const more = { ...checklist, PF: [...checklist.PF, { code: null, text: "Endereço confere", process: null }] };
    const changes = { checklist: more, stoppedWords: [...stoppedWords, "delator"], dueSoonHours: 4 };
    expect(await ordering(changes)).toMatchObject({ version: 1 });
  });

  it("shows the waiting proposal and refuses a second one", async () => {
    const id = await proposed({ stoppedWords: [] });
    const view = await readCaseRules(actorOf("admin", first, "settings:manage"));
    expect(view).toMatchObject({ version: 0, proposed: { id, byName: "Ana Prado" } });
    await expect(ordering({ checklist: { PF: [], PJ: [] } })).rejects.toMatchObject({
      details: { code: "approval-open" },
    });
  });
});

describe("a second administrator", () => {
  it("shows the second administrator the change, and applies it", async () => {
    const id = await proposed({ checklist: { ...checklist, PF: items }, stoppedWords: stoppedWords.slice(1) });
    const [row] = await db.select().from(approval).where(eq(approval.id, id));
    expect(row && (await readSnapshot(row))?.shown.facts).toEqual([
      { name: "checklistPf", before: { as: "text", text: item.text }, after: { as: "text", text: "—" } },
      { name: "stoppedWord", before: { as: "text", text: "COAF" }, after: { as: "text", text: "—" } },
    ]);
    expect(await agreeing(id)).toEqual({ state: "EXECUTED", code: null });
    expect(await caseRulesOf(db, "aurora")).toMatchObject({ version: 1, rules: { checklist: { PF: items } } });
    const recorded = await db.select().from(auditEvent).where(eq(auditEvent.code, "settings.kyc-rules"));
    expect(recorded).toMatchObject([{ actor: first, detail: { loosens: true } }]);
  });

  it("applies no change when the rules changed since", async () => {
    const id = await proposed({ stoppedWords: [] });
    await ordering({ dueSoonHours: 4 });
    expect(await agreeing(id)).toEqual({ state: "FAILED", code: "rules-changed" });
    expect(await inForce()).toBe(1);
  });
});
