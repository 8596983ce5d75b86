import { renameSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { approvalsWatch } from "@/lib/boot/approvals-watch";
import { env, takeEnv } from "@/lib/settings/env";
import { givenHeads, givenRows, tamper } from "@/test/support/audit";
import { givenFixture } from "@/test/support/approvals";
import { givenCoins, order } from "@/test/support/coins";

let coins: Awaited<ReturnType<typeof givenCoins>>;
let walletId = "";

beforeEach(async () => {
  coins = await givenCoins();
  ({ walletId } = await coins.givenWallet());
});

afterEach(() => {
  vi.useRealTimers();
});

/** Puts the record back to before its last signed head. */
async function givenRestored(signedAtMs: number, db = coins.db): Promise<string> {
  const heads = givenHeads(db);
  takeEnv({ ...env(), auditHeadsDir: heads.directory });
  await givenRows(db, 3);
  await heads.sign("aurora", signedAtMs - Date.UTC(2026, 10, 21));
  await tamper(
    db,
    "DELETE FROM audit_event WHERE seq > 1",
    "UPDATE audit_head SET (seq, hash) = (SELECT seq, hash FROM audit_event WHERE seq = 1)",
  );
  return heads.directory;
}

const inAMinute = () => Date.now() + 60_000;
const aMinuteAgo = () => Date.now() - 60_000;

describe("a request of coins from before a restore", () => {
  it("ends a request of coins as restored at the next sweep", async () => {
    const waiting = await coins.propose(order(walletId));
    await givenRestored(inAMinute());
    await approvalsWatch.sweep("aurora");
    expect(await coins.endOf(waiting)).toEqual(["EXPIRED", "approval-restored"]);
    expect(coins.sent).toEqual([]);
  });

  it("refuses to execute a restored request authorised before that sweep", async () => {
    const waiting = await coins.propose(order(walletId));
    await givenRestored(inAMinute());
    await coins.authorise(waiting);
    expect(await coins.endOf(waiting)).toEqual(["FAILED", "approval-restored"]);
    expect(coins.sent).toEqual([]);
  });

  it("ends a restored request after the heads were moved as the manual says", async () => {
    const waiting = await coins.propose(order(walletId));
    const directory = await givenRestored(inAMinute());
    renameSync(directory, `${directory}-until-restore`);
    await approvalsWatch.sweep("aurora");
    expect(await coins.endOf(waiting)).toEqual(["EXPIRED", "approval-restored"]);
  });
});

it("keeps a request made after the restore", async () => {
  await givenRestored(aMinuteAgo());
  const later = await coins.propose(order(walletId));
  await approvalsWatch.sweep("aurora");
  expect((await coins.endOf(later))[0]).toBe("PENDING");
  await coins.authorise(later);
  expect(coins.sent).toHaveLength(1);
});

describe("a request in reais from before a restore", () => {
  it.each([
    ["is sent while its key lives", 22, "EXECUTED", null],
    ["is not sent once its key may be over", 23.5, "FAILED", "approval-restored"],
  ])("ends a request in reais as restored: %s", async (_, hours, ...end) => {
    const fixture = await givenFixture();
    const waiting = await fixture.propose();
    await givenRestored(inAMinute(), fixture.db);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hours * 60 * 60_000 });
    await fixture.authorising(waiting);
    expect(await fixture.stateOf(waiting)).toEqual(end);
  });
});
