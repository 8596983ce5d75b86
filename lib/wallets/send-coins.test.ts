import { APPROVABLE_WRITES } from "@/lib/writes/approvable";
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { approvalTrail } from "@/test/support/approvals";
import { authorise } from "@/lib/approvals/decide";
import { getApproval, listApprovals } from "@/lib/approvals/queries";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { providerIntent } from "@/lib/db/tables/provider";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { STRANGERS, type WalletsAtHand, walletsOf } from "@/test/support/service/crypto";
import type { Harness } from "@/test/support/service/harness";
import { readSnapshot } from "@/lib/approvals/snapshot";
import { BalanceEntry } from "@/lib/contract/crypto";
import { approval } from "@/lib/db/tables/approvals";
import { executeOrPropose } from "@/lib/approvals/propose";
import { cryptoOrder, wallet, walletBalance } from "@/lib/db/tables/wallets";
import { shortAddress } from "@/lib/text/short";
import { CryptoOrder } from "./inputs";
import { sendCoins } from "./send-coins";
import { readSentOrder } from "./sent-order";

const TRANSFER = "/v1/crypto/transfer";

let db: Db;
let service: Harness;
let wallets: WalletsAtHand;
let makerId = "";
let approverId = "";
let sent = 0;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  sent = 0;
  service = await givenService((request) => {
    if (new URL(request.url).pathname === TRANSFER) sent += 1;
  });
  wallets = walletsOf(service);
  makerId = await givenStaff(db, "finance");
  approverId = await givenStaff(db, "approver");
});

async function order(): Promise<CryptoOrder> {
  const { address } = await wallets.create("EVM");
  await wallets.deposit({ network: "ETHEREUM", address, amount: "5" });
  const walletId = `w-${address.slice(-6)}`;
  const given = { walletId, network: "ETHEREUM", fromAddress: address, to: STRANGERS.ETHEREUM, amount: "1.5" };
  return CryptoOrder.parse({ ...given, intentId: randomUUID() });
}

async function propose(given: CryptoOrder): Promise<string> {
  const answer = await executeOrPropose(sendCoins, actorOf("finance", makerId, "crypto-transfers:create"), given);
  if (answer.state !== "PROPOSED") throw new Error(`it was ${answer.state}`);
  return answer.approvalId;
}

const authorising = (approvalId: string) =>
  authorise(APPROVABLE_WRITES, actorOf("approver", approverId, "approvals:authorize"), { approvalId });

describe("a transfer of coins", () => {
  it("waits for a second person at any amount, and sends coins once", async () => {
    const given = await order();
    const id = await propose(given);
    expect(sent).toBe(0);
    await expect(authorising(id)).resolves.toEqual({ state: "EXECUTED", code: null });
    expect(sent).toBe(1);
    expect(await wallets.entries(given.fromAddress, "ETHEREUM&pageSize=1")).toMatchObject([{ amount: "1.5" }]);
    expect(await approvalTrail(db)).toEqual([
      "approval.propose DONE",
      "approval.authorise DONE",
      "approval.execute DONE",
    ]);
  });

  it("shows the approver what else is pending for the wallet, by coin", async () => {
    const given = await order();
    const id = await propose(given);
    for (const amount of ["0.25", "1.75"]) await propose({ ...given, intentId: randomUUID(), amount });
    await propose(await order());
    vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: approverId, roles: ["approver"] }));
    expect((await getApproval(id))?.beside).toEqual([{ asset: "ETH", network: "ETHEREUM", sum: "2.00", count: 2 }]);
  });

  it("sums pending coins per network, and shows network and first use in the inbox", async () => {
    const given = await order();
    const id = await propose(given);
    await propose({ ...given, intentId: randomUUID(), amount: "3" });
    await propose({
      ...given,
      intentId: randomUUID(),
      network: "POLYGON",
      tokenAddress: STRANGERS.POLYGON,
      amount: "7",
    });
    vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: approverId, roles: ["approver"] }));
    expect((await getApproval(id))?.beside.map(({ network, sum }) => [network, sum])).toEqual([
      ["ETHEREUM", "3.00"],
      ["POLYGON", "7.00"],
    ]);
    expect((await listApprovals()).rows.find((row) => row.id === id)?.parties).toEqual({
      from: shortAddress(given.fromAddress),
      to: shortAddress(given.to),
      isFirstUse: true,
      network: "ETHEREUM",
    });
  });

  const usdt = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
  it.each([
    [{ tokenAddress: usdt.toLowerCase() }, "USDT"],
    [{ tokenAddress: "0x00000000000000000000000000000000000000aa" }, "0x00000000000000000000000000000000000000aa"],
    [{}, "ETH"],
  ])("shows, for %j, 1.5 %s to the approver", async (token, asset) => {
    const given = await order();
    const seen = { createdAt: new Date(), seenAt: new Date() };
    const known = {
      tenant: "aurora",
      address: given.fromAddress,
      family: "EVM",
      coin: "ETH",
      status: "ACTIVE",
      ...seen,
    };
    await db.insert(wallet).values({ ...known, id: given.walletId });
    const entry = { address: given.fromAddress, asset: "USDT", balance: "900", tokenAddress: usdt };
    const entries = [BalanceEntry.parse(entry)];
    await db.insert(walletBalance).values({ tenant: "aurora", walletId: given.walletId, network: "ETHEREUM", entries });
    const id = await propose({ ...given, ...token });
    const [row] = await db.select().from(approval).where(eq(approval.id, id));
    const snapshot = row === undefined ? null : await readSnapshot(row);
    expect(snapshot?.shown.headline).toEqual({ as: "coins", amount: "1.5", asset });
  });

  it("stops a transfer, with the reason, when its destination proves a token", async () => {
    const given = await order();
    const id = await propose(given);
    const entries = [BalanceEntry.parse({ asset: "T", balance: "1", tokenAddress: given.to.toLowerCase() })];
    await db.insert(walletBalance).values({ tenant: "aurora", walletId: "another", network: "BSC", entries });
    await expect(authorising(id)).resolves.toEqual({ state: "FAILED", code: "crypto-address-lost" });
    expect(sent).toBe(0);
  });

  it("calls a transfer unknown after a lost answer, and never resends it", async () => {
    const id = await propose(await order());
    await service.control("POST", "/sandbox/faults", { method: "POST", path: TRANSFER, times: 1, drop: true });
    await expect(authorising(id)).resolves.toMatchObject({ state: "UNKNOWN" });
    await expect(authorising(id)).rejects.toMatchObject({ details: { code: "approval-ended" } });
    expect(sent).toBe(1);
    expect(await db.select().from(providerIntent)).toMatchObject([{ state: "UNKNOWN", bodySealed: null }]);
  });

  it("stores a transfer sealed: destination, amount and asset", async () => {
    const given = await order();
    await authorising(await propose(given));
    const key = { tenant: "aurora", intentId: given.intentId };
    const kept = { network: "ETHEREUM", to: STRANGERS.ETHEREUM, amount: "1.5", asset: "ETH" };
    expect(await readSentOrder(db, key)).toEqual(kept);
    const [row] = await db.select().from(cryptoOrder);
    expect(row?.orderSealed).not.toContain(STRANGERS.ETHEREUM);
  });

  it("fails a refused transfer of coins with the provider's reason", async () => {
    const id = await propose({ ...(await order()), amount: "500" });
    await expect(authorising(id)).resolves.toMatchObject({ state: "FAILED" });
    vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: approverId, roles: ["approver"] }));
    expect(await getApproval(id)).toMatchObject({ code: null, told: { status: 422, said: expect.any(String) } });
  });
});
