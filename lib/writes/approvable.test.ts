import { NO_LIMITS } from "@/lib/permission/limits";
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { orderPolicyChange } from "@/lib/approvals/change-policy";
import { authorise } from "@/lib/approvals/decide";
import type { Db } from "@/lib/db/connection";
import { approval, approvalPolicy } from "@/lib/db/tables/approvals";
import { staffInvitation } from "@/lib/db/tables/auth";
import { kycCaseRules } from "@/lib/db/tables/kyc";
import { orderRulesChange } from "@/lib/kyc/change-rules";
import { STANDARD_RULES } from "@/lib/kyc/standard-rules-view";
import { orderInvitation } from "@/lib/staff/approvals";
import { disablePerson } from "@/lib/staff/people";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { APPROVABLE_WRITES } from "./approvable";

let db: Db;
let people: string[] = [];
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  people = [];
  for (let nth = 0; nth < 4; nth += 1) people.push(await givenStaff(db, "admin"));
});

const settings = (by: string) => actorOf("admin", by, "settings:manage");
const managing = (by: string) => actorOf("admin", by, "staff:manage");

const policyTo = (rule: "never" | "always") => (intentId: string, by: string) =>
  orderPolicyChange(settings(by), {
    intentId,
    kind: "transfer.external",
    version: 0,
    rule,
    amount: null,
    ...NO_LIMITS,
    expiresAfterHours: 24,
  });
const rulesTo = (changes: object) => (intentId: string, by: string) =>
  orderRulesChange(settings(by), { ...STANDARD_RULES, version: 0, ...changes, intentId });
const invited = { email: "eva@aurora.example", name: "Eva Lima" };
const inviteAs = (role: "auditor" | "approver") => (intentId: string, by: string) =>
  orderInvitation(managing(by), { intentId, ...invited, roles: [role] });

const WRITES = {
  "tighten a policy": policyTo("always"),
  "loosen a policy": policyTo("never"),
  "tighten the KYC rules": rulesTo({ stoppedWords: [...STANDARD_RULES.stoppedWords, "delator"] }),
  "loosen the KYC rules": rulesTo({ stoppedWords: [] }),
  "invite somebody": inviteAs("auditor"),
  "invite an approver": inviteAs("approver"),
} as const;
const LOOSENING = ["loosen a policy", "loosen the KYC rules", "invite an approver"] as const;
const ALONE = ["tighten a policy", "tighten the KYC rules", "invite somebody"] as const;
type Write = keyof typeof WRITES;

async function effects() {
  const made = [await db.$count(approvalPolicy), await db.$count(kycCaseRules), await db.$count(staffInvitation)];
  return { made: made.reduce((sum, count) => sum + count), proposed: await db.$count(approval) };
}

type Tenfold = { write: Write; ids: 1 | 10; by: 1 | 3 };

async function tenAtOnce({ write, ids, by }: Tenfold) {
  const named = Array.from({ length: ids }, () => randomUUID());
  const asked = Array.from({ length: 10 }, (_, nth) => WRITES[write](named[nth % ids] ?? "", people[nth % by] ?? ""));
  const refusals = (await Promise.allSettled(asked)).flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  return refusals.map((reason) => (reason instanceof Error && "kind" in reason ? reason.kind : reason));
}

const WAYS = [
  { ids: 1, by: 1 },
  { ids: 10, by: 1 },
  { ids: 10, by: 3 },
  { ids: 1, by: 3 },
] as const;

describe.each(WAYS)("ten at once under $ids id by $by", (way) => {
  it.each(ALONE)("takes effect once for ten concurrent orders: %s", async (write) => {
    const refused = await tenAtOnce({ write, ...way });
    expect(await effects()).toEqual({ made: 1, proposed: 0 });
    expect(refused).toEqual(Array.from({ length: 9 }, () => "conflict"));
  });

  it.each(LOOSENING)("creates one request for ten concurrent orders: %s", async (write) => {
    const refused = await tenAtOnce({ write, ...way });
    expect(await effects()).toEqual({ made: 0, proposed: 1 });
    expect(refused.filter((kind) => kind !== "conflict")).toEqual([]);
  });
});

it.each(LOOSENING)("takes effect once for ten concurrent authorisations by three: %s", async (write) => {
  await WRITES[write](randomUUID(), people[0] ?? "");
  const [waiting] = await db.select({ approvalId: approval.id }).from(approval);
  const approvalId = waiting?.approvalId ?? "";
  const asked = Array.from({ length: 10 }, (_, nth) =>
    authorise(APPROVABLE_WRITES, managing(people[1 + (nth % 3)] ?? ""), { approvalId }),
  );
  const answers = await Promise.allSettled(asked);
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await effects()).toEqual({ made: 1, proposed: 1 });
});

it.each(["auditor", "approver"] as const)("lets nobody who is disabled meanwhile invite: %s", async (role) => {
  const [maker = "", other = ""] = people;
  const asked = Array.from({ length: 9 }, () => inviteAs(role)(randomUUID(), maker));
  const [out] = await Promise.allSettled([disablePerson(db, { id: other, tenant: "aurora" }, maker), ...asked]);
  expect(out?.status).toBe("fulfilled");
  const open = await db.select().from(approval).where(eq(approval.state, "PENDING"));
  // What was asked for before is refused now, as who asked has lost the right.
  for (const { id: approvalId } of open)
    await authorise(APPROVABLE_WRITES, managing(other), { approvalId }).catch(() => null);
  await expect(inviteAs(role)(randomUUID(), maker)).rejects.toMatchObject({ kind: "forbidden" });
  const live = await db.select().from(staffInvitation);
  expect(live.filter(({ invitedBy, revokedAt }) => invitedBy === maker && revokedAt === null)).toEqual([]);
});
