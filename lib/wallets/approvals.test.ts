import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { APPROVAL_KINDS } from "@/lib/process/approval-kinds";
import { approvalTrail } from "@/test/support/approvals";
import { authorise } from "@/lib/approvals/decide";
import { bankIntent } from "@/lib/bank/schema";
import type { Db } from "@/lib/store/store";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { STRANGERS, type WalletsAtHand, walletsOf } from "@/test/support/service/crypto";
import type { Harness } from "@/test/support/service/harness";
import { orderCryptoTransfer } from "./approvals";
import { CryptoOrder } from "./rules";

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
  const given = { network: "ETHEREUM", fromAddress: address, to: STRANGERS.ETHEREUM, amount: "1.5" };
  return CryptoOrder.parse({ ...given, intentId: randomUUID() });
}

async function propose(given: CryptoOrder): Promise<string> {
  const answer = await orderCryptoTransfer(actorOf("finance", makerId, "crypto-transfers:create"), given);
  if (answer.state !== "PROPOSED") throw new Error(`it was ${answer.state}`);
  return answer.approvalId;
}

const authorising = (approvalId: string) =>
  authorise(APPROVAL_KINDS, actorOf("approver", approverId, "approvals:authorize"), { approvalId });

describe("a transfer of coins", () => {
  it("of any amount waits for a second person, and leaves once", async () => {
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

  it("whose answer is lost is not known and never sent again", async () => {
    const id = await propose(await order());
    await service.control("POST", "/sandbox/faults", { method: "POST", path: TRANSFER, times: 1, drop: true });
    await expect(authorising(id)).resolves.toMatchObject({ state: "UNKNOWN" });
    await expect(authorising(id)).rejects.toMatchObject({ details: { code: "approval-ended" } });
    expect(sent).toBe(1);
    expect(await db.select().from(bankIntent)).toMatchObject([{ state: "UNKNOWN", bodySealed: null }]);
  });

  it("that the provider refuses has failed", async () => {
    const id = await propose({ ...(await order()), amount: "500" });
    await expect(authorising(id)).resolves.toMatchObject({ state: "FAILED" });
  });
});
