import { beforeEach, describe, expect, it } from "vitest";
import { completeCpf } from "@/lib/contract/document";
import { auditEvent } from "@/lib/db/tables/audit";
import { join, part } from "./attempts";
import { readRecord } from "./read-record";
import { refreshOnboarding } from "./records";
import { givenOnboardingFixture, type OnboardingFixture } from "@/test/support/onboarding";

let fixture: OnboardingFixture;

beforeEach(async () => {
  fixture = await givenOnboardingFixture();
});

const kindsOf = async (id: string) => (await fixture.eventsOf(id)).map(({ kind }) => kind);

/** Two attempts of one document: the second was requested after the first was refused. */
async function givenAttempts(): Promise<{ first: string; second: string }> {
  const refused = await fixture.request();
  await fixture.steer(refused, { status: "ERROR" });
  const first = await fixture.recordAccess(refused);
  return { first, second: await fixture.recordAccess(await fixture.request()) };
}

describe("a new attempt", () => {
  it("links a new attempt to the refused one, which stops waiting", async () => {
    const { first, second } = await givenAttempts();
    expect(await fixture.rowOf(second)).toMatchObject({ previousId: first });
    expect(await fixture.rowOf(first)).toMatchObject({ status: "ERROR", whoActs: "nobody" });
    const record = await readRecord(fixture.reader, second);
    expect(record?.attempts).toMatchObject({ chain: [{ id: first }, { id: second }], position: 2, others: [] });
    expect((await readRecord(fixture.reader, first))?.attempts).toMatchObject({ position: 1 });
  });

  it("links two attempts in either order of arrival", async () => {
    const refused = await fixture.request();
    await fixture.steer(refused, { status: "ERROR" });
    const later = await fixture.request();
    const second = (await refreshOnboarding(fixture.reader, later, { since: new Date(Date.now() - 1_000) })).id;
    const first = (await refreshOnboarding(fixture.reader, refused, { since: new Date(Date.now() - 60_000) })).id;
    expect(await fixture.rowOf(second)).toMatchObject({ previousId: first });
  });

  it("unlinks and relinks attempts by hand, audited on both timelines", async () => {
    const { first, second } = await givenAttempts();
    await part(fixture.ana, { id: second });
    await part(fixture.ana, { id: second });
    expect(await fixture.rowOf(first)).toMatchObject({ whoActs: "us" });
    const parted = await readRecord(fixture.reader, second);
    expect(parted?.attempts).toMatchObject({ chain: [{ id: second }], joinable: [{ id: first }] });
    await join(fixture.ana, { id: second, older: first });
    await join(fixture.ana, { id: second, older: first });
    expect(await fixture.rowOf(second)).toMatchObject({ previousId: first });
    const kinds = await kindsOf(first);
    expect(kinds.filter((kind) => kind === "attempt-linked" || kind === "attempt-unlinked")).toEqual([
      "attempt-linked",
      "attempt-unlinked",
      "attempt-linked",
    ]);
    const trail = await fixture.db.select({ code: auditEvent.code }).from(auditEvent).orderBy(auditEvent.seq);
    expect(trail.map(({ code }) => code).filter((code) => code !== "customer.view")).toEqual([
      "onboarding.part",
      "onboarding.join",
    ]);
  });

  it("keeps attempts unlinked by hand, whatever the outcomes", async () => {
    const { first, second } = await givenAttempts();
    await part(fixture.ana, { id: second });
    const asked = (await fixture.rowOf(second))?.onBoardingId ?? "";
    await fixture.steer(asked, { status: "ERROR" });
    await fixture.recordAccess(asked);
    expect(await fixture.rowOf(second)).toMatchObject({ status: "ERROR", previousId: null });
    expect(await fixture.rowOf(first)).toMatchObject({ whoActs: "us" });
  });

  it("links no later attempt, another holder's or one already taken", async () => {
    const { first, second } = await givenAttempts();
    const other = await fixture.recordAccess(await fixture.request(completeCpf("310000202")));
    await expect(join(fixture.ana, { id: first, older: second })).rejects.toMatchObject({ kind: "not-found" });
    await expect(join(fixture.ana, { id: second, older: other })).rejects.toMatchObject({ kind: "not-found" });
    const asked = (await fixture.rowOf(second))?.onBoardingId ?? "";
    await fixture.steer(asked, { status: "ERROR" });
    await fixture.recordAccess(asked);
    const third = await fixture.recordAccess(await fixture.request());
    await part(fixture.ana, { id: third });
    await expect(join(fixture.ana, { id: third, older: first })).rejects.toMatchObject({
      details: { code: "attempt-taken" },
    });
  });
});
