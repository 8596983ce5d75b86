import { beforeEach, describe, expect, it } from "vitest";
import { completeCpf } from "@/lib/contract/document";
import { auditEvent } from "@/lib/store/schema";
import { join, part } from "./attempts";
import { readRecord } from "./record-view";
import { refreshOnboarding } from "./records";
import { givenOnboardingDesk, type OnboardingDesk } from "./testing";

let desk: OnboardingDesk;

beforeEach(async () => {
  desk = await givenOnboardingDesk();
});

const kindsOf = async (id: string) => (await desk.eventsOf(id)).map(({ kind }) => kind);

/** Two attempts of one document: the first was refused, then the second was asked for. */
async function givenAttempts(): Promise<{ first: string; second: string }> {
  const refused = await desk.request();
  await desk.steer(refused, { status: "ERROR" });
  const first = await desk.recordAccess(refused);
  return { first, second: await desk.recordAccess(await desk.request()) };
}

describe("a new attempt", () => {
  it("is linked to the one that was refused, which waits for nobody any more", async () => {
    const { first, second } = await givenAttempts();
    expect(await desk.rowOf(second)).toMatchObject({ previousId: first });
    expect(await desk.rowOf(first)).toMatchObject({ status: "ERROR", whoActs: "nobody" });
    const record = await readRecord(desk.reader, second);
    expect(record?.attempts).toMatchObject({ chain: [{ id: first }, { id: second }], place: 2, others: [] });
    expect((await readRecord(desk.reader, first))?.attempts).toMatchObject({ place: 1 });
  });

  it("is linked whichever of the two is seen first", async () => {
    const refused = await desk.request();
    await desk.steer(refused, { status: "ERROR" });
    const later = await desk.request();
    const second = (await refreshOnboarding(desk.reader, later, { since: new Date(Date.now() - 1_000) })).id;
    const first = (await refreshOnboarding(desk.reader, refused, { since: new Date(Date.now() - 60_000) })).id;
    expect(await desk.rowOf(second)).toMatchObject({ previousId: first });
  });

  it("is parted and linked again by hand, on both timelines and on record", async () => {
    const { first, second } = await givenAttempts();
    await part(desk.ana, { id: second });
    await part(desk.ana, { id: second });
    expect(await desk.rowOf(first)).toMatchObject({ whoActs: "us" });
    const parted = await readRecord(desk.reader, second);
    expect(parted?.attempts).toMatchObject({ chain: [{ id: second }], joinable: [{ id: first }] });
    await join(desk.ana, { id: second, older: first });
    await join(desk.ana, { id: second, older: first });
    expect(await desk.rowOf(second)).toMatchObject({ previousId: first });
    const kinds = await kindsOf(first);
    expect(kinds.filter((kind) => kind === "attempt-linked" || kind === "attempt-unlinked")).toEqual([
      "attempt-linked",
      "attempt-unlinked",
      "attempt-linked",
    ]);
    const trail = await desk.db.select({ code: auditEvent.code }).from(auditEvent).orderBy(auditEvent.seq);
    expect(trail.map(({ code }) => code).filter((code) => code !== "customer.view")).toEqual([
      "onboarding.part",
      "onboarding.join",
    ]);
  });

  it("stays parted by hand, however the two end", async () => {
    const { first, second } = await givenAttempts();
    await part(desk.ana, { id: second });
    const asked = (await desk.rowOf(second))?.onBoardingId ?? "";
    await desk.steer(asked, { status: "ERROR" });
    await desk.recordAccess(asked);
    expect(await desk.rowOf(second)).toMatchObject({ status: "ERROR", previousId: null });
    expect(await desk.rowOf(first)).toMatchObject({ whoActs: "us" });
  });

  it("is linked neither to a later one, nor to another holder's, nor to one that is taken up already", async () => {
    const { first, second } = await givenAttempts();
    const other = await desk.recordAccess(await desk.request(completeCpf("310000202")));
    await expect(join(desk.ana, { id: first, older: second })).rejects.toMatchObject({ kind: "not-found" });
    await expect(join(desk.ana, { id: second, older: other })).rejects.toMatchObject({ kind: "not-found" });
    const asked = (await desk.rowOf(second))?.onBoardingId ?? "";
    await desk.steer(asked, { status: "ERROR" });
    await desk.recordAccess(asked);
    const third = await desk.recordAccess(await desk.request());
    await part(desk.ana, { id: third });
    await expect(join(desk.ana, { id: third, older: first })).rejects.toMatchObject({
      details: { code: "attempt-taken" },
    });
  });
});
