import { beforeEach, describe, expect, it } from "vitest";
import { type Harness, startService } from "@/test/support/service/harness";
import { type Account, openAccount, transfer } from "@/test/support/service/transfers";

let service: Harness;
let ana: Account;
let bia: Account;
beforeEach(async () => {
  service = await startService();
  ana = await openAccount(service, { reais: 1_000 });
  bia = await openAccount(service, { reais: 0 });
});

const order = (clientId: string, transfers = 1) => service.control("POST", "/sandbox/holds", { clientId, transfers });
const pay = async (fields: { amount: number; key?: string }) => (await transfer(service, [ana, bia], fields)).status;

describe("a hold that was ordered beforehand", () => {
  it("holds one transfer whatever its amount, and lets the next one pass", async () => {
    await order("aurora");
    expect([await pay({ amount: 10 }), await pay({ amount: 10 })]).toEqual([202, 200]);
  });

  it("is not used by a transfer without money, nor by a repeated answer", async () => {
    expect(await pay({ amount: 10, key: "first" })).toBe(200);
    await order("aurora");
    expect([await pay({ amount: 5_000 }), await pay({ amount: 10, key: "first" })]).toEqual([422, 200]);
    expect(await pay({ amount: 10 })).toBe(202);
  });

  it("belongs to one tenant, and can be taken back", async () => {
    await order("boreal");
    expect(await pay({ amount: 10 })).toBe(200);
    await order("aurora");
    await order("aurora", 0);
    expect(await pay({ amount: 10 })).toBe(200);
  });

  it("holds one of two transfers at the same time", async () => {
    await order("aurora");
    const statuses = await Promise.all([pay({ amount: 10 }), pay({ amount: 20 })]);
    expect(new Set(statuses)).toEqual(new Set([200, 202]));
  });
});
