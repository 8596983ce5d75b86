import { beforeEach, expect, it } from "vitest";
import { type Db, db as openStore } from "@/lib/db/connection";
import { accessReview } from "@/lib/db/tables/access-review";
import { healthIncident } from "@/lib/db/tables/health";
import { seal } from "@/lib/db/seal";
import { civilDaysAgo } from "@/lib/text/time";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { randomUUID } from "node:crypto";
import { accessReviewWatch } from "./watch";

let db: Db;

beforeEach(async () => {
  givenEnv();
  await givenStore();
  db = await openStore();
});

async function givenReview(nextOn: string): Promise<void> {
  const id = randomUUID();
  const noteSealed = seal("Conferido", { column: "access_review.note_sealed", row: ["aurora", id] });
  const staffId = await givenStaff(db, "admin");
  await db
    .insert(accessReview)
    .values({ tenant: "aurora", id, staffId, people: 1, noteSealed, nextOn, createdAt: new Date() });
}

const incidents = async () =>
  (await db.select().from(healthIncident)).map(({ kind, endedAt }) => [kind, endedAt === null]);

it("opens one incident for a late review, and ends it with the next review", async () => {
  await accessReviewWatch.sweep("aurora");
  expect(await incidents()).toEqual([]);
  await givenReview(civilDaysAgo(1));
  await accessReviewWatch.sweep("aurora");
  await accessReviewWatch.sweep("aurora");
  expect(await incidents()).toEqual([["review-late", true]]);
  await givenReview(civilDaysAgo(0));
  await accessReviewWatch.sweep("aurora");
  expect(await incidents()).toEqual([["review-late", false]]);
});
