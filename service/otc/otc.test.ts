import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { parseJson } from "@/lib/contract/json";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { AURORA, BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { totalOf } from "./record-trade";

const USDT = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const Recorded = z.object({ data: z.looseObject({ id: z.string() }) });
let service: Harness;

beforeEach(async () => {
  service = await startService();
});
afterEach(() => expectBalancedBooks(service.call().db));

const order = (changes: Record<string, unknown> = {}) => ({
  clientId: AURORA.clientId,
  side: "BUY",
  network: "BITCOIN",
  quantity: "0.12345678",
  price: 350_000.1,
  ...changes,
});
const record = (changes: Record<string, unknown> = {}) =>
  service.control("POST", "/sandbox/otc/trades", order(changes));
const recorded = async (changes: Record<string, unknown> = {}) => Recorded.parse((await record(changes)).body).data;
const get = (id: string, options = {}) => service.send("GET", `/v1/otc/trades/${id}`, options);

describe("an OTC trade", () => {
  it("reads a trade by its id, with exact amounts", async () => {
    const { id } = await recorded();
    expect(await get(id)).toMatchObject({
      status: 200,
      body: {
        status: 200,
        httpCode: 200,
        when: expect.any(Number),
        data: {
          id,
          clientId: "aurora",
          side: "BUY",
          network: "BITCOIN",
          asset: "BTC",
          tokenAddress: null,
          quantity: "0.12345678",
          price: parseJson("350000.10"),
          total: parseJson("43209.89"),
          currency: "BRL",
          status: "SETTLED",
          createdAt: "2026-03-10T12:00:00.000Z",
          settledAt: "2026-03-10T12:00:00.000Z",
        },
      },
    });
  });

  it("reads a trade of a token, still unsettled", async () => {
    const wish = { network: "ETHEREUM", tokenAddress: USDT.toLowerCase(), quantity: "1500.5", price: 5.43 };
    const { id } = await recorded({ ...wish, side: "SELL", status: "QUOTED" });
    expect((await get(id)).body).toMatchObject({
      data: { asset: "USDT", tokenAddress: USDT, side: "SELL", status: "QUOTED", settledAt: null },
    });
  });

  it("answers 404 for an unknown trade or another tenant's", async () => {
    const { id } = await recorded();
    const unknown = await get("nobody");
    const foreign = await get(id, { tenant: BOREAL });
    expect([unknown.status, foreign.status]).toEqual([404, 404]);
    expect(foreign.body).toEqual(unknown.body);
  });

  it("requires the CRYPTO family for trades", async () => {
    const banking = { ...AURORA, enabledProducts: ["BANKING" as const] };
    service = await startService({ tenants: [banking] });
    expect(await get("any")).toMatchObject({ status: 403, body: { error: "PRODUCT_NOT_ENABLED" } });
  });
});

describe("the control route of trades", () => {
  it.each([
    ["quantity", { quantity: "0.123456789" }],
    ["quantity", { quantity: "0" }],
    ["quantity", { quantity: 1 }],
    ["price", { price: -1 }],
    ["side", { side: "HOLD" }],
    ["network", { network: "EVM" }],
    ["tokenAddress", { network: "ETHEREUM", tokenAddress: "0x0000000000000000000000000000000000000001" }],
    ["tokenAddress", { tokenAddress: "nothing" }],
  ])("answers 400 and names %s", async (field, changes) => {
    const reply = await record(changes);
    expect([reply.status, reply.body]).toEqual([400, { message: expect.stringMatching(new RegExp(`^${field}: `)) }]);
  });

  it("answers 404 for an unknown client", async () => {
    expect((await record({ clientId: "nobody" })).status).toBe(404);
  });
});

it("rounds a total half up to the cent", () => {
  expect([totalOf(4n, 1n, 1), totalOf(5n, 1n, 1), totalOf(15n, 1n, 1)]).toEqual([0n, 1n, 2n]);
  expect(totalOf(10n ** 18n, 1_234_567n, 18)).toBe(1_234_567n);
});
