import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "@/lib/auth/grant";
import { completeCpf } from "@/lib/contract/document";
import { AccountRequested } from "@/lib/contract/onboarding";
import { auditEvent, onboarding } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/lib/testing";
import { personRequest } from "@/service/accounts/testing";
import type { Harness } from "@/service/testing";
import { join, part } from "./join";
import { readRecord } from "./record-view";
import { refreshOnboarding } from "./records";
import { onboardingEvent } from "./schema";

const CPF = completeCpf("310000201");

let db: Db;
let service: Harness;
let ana: Actor<"onboarding:follow">;
let reader: Actor<"onboarding:read">;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  const staffId = await givenStaff(db, "support");
  ana = actorOf("support", staffId, "onboarding:follow");
  reader = actorOf("support", staffId, "onboarding:read");
  service = await givenService();
  service.clock.set(Date.now());
});

async function request(document = CPF): Promise<string> {
  const { body } = await service.send("POST", "/v1/bank-accounts/create", { body: personRequest(document) });
  return AccountRequested.parse(body).data.body.onBoardingId;
}

const steer = (id: string, body: Record<string, unknown>) =>
  service.control("POST", `/sandbox/onboardings/${id}`, body);

/** What the provider says now is kept; returns our id. */
const look = async (asked: string) => (await refreshOnboarding(reader, asked)).id;

const rowOf = async (id: string) => (await db.select().from(onboarding).where(eq(onboarding.id, id)))[0];

const kindsOf = async (id: string) =>
  (
    await db
      .select({ kind: onboardingEvent.kind })
      .from(onboardingEvent)
      .where(eq(onboardingEvent.onboardingId, id))
      .orderBy(asc(onboardingEvent.id))
  ).map(({ kind }) => kind);

/** Two attempts of one document: the first was refused, then the second was asked for. */
async function givenAttempts(): Promise<{ first: string; second: string }> {
  const refused = await request();
  await steer(refused, { status: "ERROR" });
  const first = await look(refused);
  return { first, second: await look(await request()) };
}

describe("a new attempt", () => {
  it("is linked to the one that was refused, which waits for nobody any more", async () => {
    const { first, second } = await givenAttempts();
    expect(await rowOf(second)).toMatchObject({ previousId: first });
    expect(await rowOf(first)).toMatchObject({ status: "ERROR", whoActs: "nobody" });
    const record = await readRecord(reader, second);
    expect(record?.attempts).toMatchObject({ chain: [{ id: first }, { id: second }], place: 2, others: [] });
    expect((await readRecord(reader, first))?.attempts).toMatchObject({ place: 1 });
  });

  it("is linked whichever of the two is seen first", async () => {
    const refused = await request();
    await steer(refused, { status: "ERROR" });
    const later = await request();
    const second = (await refreshOnboarding(reader, later, { since: new Date(Date.now() - 1_000) })).id;
    const first = (await refreshOnboarding(reader, refused, { since: new Date(Date.now() - 60_000) })).id;
    expect(await rowOf(second)).toMatchObject({ previousId: first });
  });

  it("is parted and linked again by hand, on both timelines and on record", async () => {
    const { first, second } = await givenAttempts();
    await part(ana, { id: second });
    await part(ana, { id: second });
    expect(await rowOf(first)).toMatchObject({ whoActs: "us" });
    const parted = await readRecord(reader, second);
    expect(parted?.attempts).toMatchObject({ chain: [{ id: second }], joinable: [{ id: first }] });
    await join(ana, { id: second, older: first });
    await join(ana, { id: second, older: first });
    expect(await rowOf(second)).toMatchObject({ previousId: first });
    const kinds = await kindsOf(first);
    expect(kinds.filter((kind) => kind === "attempt-linked" || kind === "attempt-unlinked")).toEqual([
      "attempt-linked",
      "attempt-unlinked",
      "attempt-linked",
    ]);
    const trail = await db.select({ code: auditEvent.code }).from(auditEvent).orderBy(auditEvent.seq);
    expect(trail.map(({ code }) => code).filter((code) => code !== "customer.view")).toEqual([
      "onboarding.part",
      "onboarding.join",
    ]);
  });

  it("stays parted by hand, however the two end", async () => {
    const { first, second } = await givenAttempts();
    await part(ana, { id: second });
    const asked = (await rowOf(second))?.onBoardingId ?? "";
    await steer(asked, { status: "ERROR" });
    await look(asked);
    expect(await rowOf(second)).toMatchObject({ status: "ERROR", previousId: null });
    expect(await rowOf(first)).toMatchObject({ whoActs: "us" });
  });

  it("is linked neither to a later one, nor to another holder's, nor to one that is taken up already", async () => {
    const { first, second } = await givenAttempts();
    const other = await look(await request(completeCpf("310000202")));
    await expect(join(ana, { id: first, older: second })).rejects.toMatchObject({ kind: "not-found" });
    await expect(join(ana, { id: second, older: other })).rejects.toMatchObject({ kind: "not-found" });
    const asked = (await rowOf(second))?.onBoardingId ?? "";
    await steer(asked, { status: "ERROR" });
    await look(asked);
    const third = await look(await request());
    await part(ana, { id: third });
    await expect(join(ana, { id: third, older: first })).rejects.toMatchObject({ details: { code: "attempt-taken" } });
  });
});
