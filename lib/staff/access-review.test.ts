import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { type Db, db as openStore } from "@/lib/db/connection";
import { accessReview } from "@/lib/db/tables/access-review";
import { auditEvent } from "@/lib/db/tables/audit";
import { civilDaysAgo } from "@/lib/text/time";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { listReviews, nextReviewOn, reviewAccess } from "./access-review";
import type { AccessReviewForm } from "./inputs";

let db: Db;
let staffId = "";

beforeEach(async () => {
  givenEnv();
  await givenStore();
  db = await openStore();
  staffId = await givenStaff(db, "admin");
});

const admin = () => actorOf("admin", staffId, "staff:manage");
const form = (change: Partial<AccessReviewForm> = {}): AccessReviewForm => ({
  intentId: randomUUID(),
  note: "Ana não precisa mais de Financeiro",
  nextOn: civilDaysAgo(-90),
  seen: null,
  ...change,
});

describe("a review of access", () => {
  it("stands with its note sealed, its next day and the number of people", async () => {
    await givenStaff(db, "auditor");
    await reviewAccess(admin(), form());
    const [review] = await listReviews(db, "aurora");
    const said = { byName: "Ana Prado", people: 2, nextOn: civilDaysAgo(-90) };
    expect(review).toMatchObject({ ...said, note: "Ana não precisa mais de Financeiro" });
    expect(await nextReviewOn(db, "aurora")).toBe(civilDaysAgo(-90));
    const [row] = await db.select().from(accessReview);
    expect(row?.noteSealed).not.toContain("Ana");
    const [audited] = await db.select().from(auditEvent).where(eq(auditEvent.code, "access.review"));
    expect(audited).toMatchObject({ actor: staffId, detail: { people: 2, nextOn: civilDaysAgo(-90) } });
    expect(JSON.stringify(audited)).not.toContain("Financeiro");
  });

  it("is of one tenant alone", async () => {
    await reviewAccess(admin(), form());
    expect(await listReviews(db, "boreal")).toEqual([]);
    expect(await nextReviewOn(db, "boreal")).toBeNull();
  });

  it.each([civilDaysAgo(0), civilDaysAgo(1), civilDaysAgo(-367)])("refuses %s as the next day", async (nextOn) => {
    await expect(reviewAccess(admin(), form({ nextOn }))).rejects.toMatchObject({
      details: { issues: [{ path: ["nextOn"], params: { code: "review-day" } }] },
    });
    expect(await db.$count(accessReview)).toBe(0);
  });

  it("tells the second of two reviewers that somebody was first", async () => {
    await reviewAccess(admin(), form());
    await expect(reviewAccess(admin(), form())).rejects.toMatchObject({ details: { code: "access-reviewed" } });
    const [last] = await listReviews(db, "aurora");
    await reviewAccess(admin(), form({ seen: last?.id ?? null }));
    expect(await db.$count(accessReview)).toBe(2);
  });

  it("stands once for ten requests under one id, and for ten under ten", async () => {
    const one = form();
    await Promise.all(Array.from({ length: 10 }, () => reviewAccess(admin(), one)));
    expect(await db.$count(accessReview)).toBe(1);
    const tried = await Promise.allSettled(
      Array.from({ length: 10 }, () => reviewAccess(admin(), form({ seen: one.intentId }))),
    );
    expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await db.$count(accessReview)).toBe(2);
  });
});
