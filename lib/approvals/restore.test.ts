import { renameSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { approvalsWatch } from "@/lib/boot/approvals-watch";
import { env, takeEnv } from "@/lib/settings/env";
import { givenHeads, givenRows, tamper } from "@/test/support/audit";
import { givenCoins, order } from "@/test/support/coins";

let coins: Awaited<ReturnType<typeof givenCoins>>;
let walletId = "";

beforeEach(async () => {
  coins = await givenCoins();
  ({ walletId } = await coins.givenWallet());
});

/** The record is as it was before its last signed head. */
async function givenRestored(signedAtMs: number): Promise<string> {
  const heads = givenHeads(coins.db);
  takeEnv({ ...env(), auditHeadsDir: heads.directory });
  await givenRows(coins.db, 3);
  await heads.sign("aurora", signedAtMs - Date.UTC(2026, 10, 21));
  await tamper(
    coins.db,
    "DELETE FROM audit_event WHERE seq > 1",
    "UPDATE audit_head SET (seq, hash) = (SELECT seq, hash FROM audit_event WHERE seq = 1)",
  );
  return heads.directory;
}

const inAMinute = () => Date.now() + 60_000;
const aMinuteAgo = () => Date.now() - 60_000;

describe("a request of coins from before a restore", () => {
  it("ends as restored at the next look", async () => {
    const waiting = await coins.propose(order(walletId));
    await givenRestored(inAMinute());
    await approvalsWatch.sweep("aurora");
    expect(await coins.endOf(waiting)).toEqual(["EXPIRED", "approval-restored"]);
    expect(coins.sent).toEqual([]);
  });

  it("is not carried out when it is authorised before that look", async () => {
    const waiting = await coins.propose(order(walletId));
    await givenRestored(inAMinute());
    await coins.authorise(waiting);
    expect(await coins.endOf(waiting)).toEqual(["FAILED", "approval-restored"]);
    expect(coins.sent).toEqual([]);
  });

  it("ends, too, after its heads were moved to where the manual says", async () => {
    const waiting = await coins.propose(order(walletId));
    const directory = await givenRestored(inAMinute());
    renameSync(directory, `${directory}-until-restore`);
    await approvalsWatch.sweep("aurora");
    expect(await coins.endOf(waiting)).toEqual(["EXPIRED", "approval-restored"]);
  });
});

it("leaves a request alone that was made after the restore", async () => {
  await givenRestored(aMinuteAgo());
  const later = await coins.propose(order(walletId));
  await approvalsWatch.sweep("aurora");
  expect((await coins.endOf(later))[0]).toBe("PENDING");
  await coins.authorise(later);
  expect(coins.sent).toHaveLength(1);
});
