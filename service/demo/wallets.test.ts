import { beforeAll, expect, it } from "vitest";
import { chainEntry } from "@/service/store/schema";
import { walletsOf } from "@/test/support/service/crypto";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { type Harness, startService } from "@/test/support/service/harness";
import { fillDemo } from "./demo";

const WEEK_MS = 7 * 86_400_000;
let service: Harness;

// Filled once, as every test here only reads.
beforeAll(async () => {
  service = await startService();
  await fillDemo(service.call());
}, 60_000);

it("receives much and sends some in the demo's wallets, as the books prove", async () => {
  const entries = await service.call().db.select().from(chainEntry);
  const count = (wanted: string) => entries.filter(({ subtype }) => subtype === wanted).length;
  expect(count("incoming")).toBeGreaterThan(80);
  expect(count("outgoing")).toBeGreaterThan(20);
  await expectBalancedBooks(service.call().db);
});

it("moves coins in each of the last eight weeks", async () => {
  const entries = await service.call().db.select().from(chainEntry);
  const weeks = new Set(
    entries.map(({ occurredAt }) => Math.floor((service.clock.now() - occurredAt.getTime()) / WEEK_MS)),
  );
  for (let weeksBack = 0; weeksBack < 8; weeksBack += 1) expect(weeks).toContain(weeksBack);
});

it("lists a master wallet's history newest first and in the past", async () => {
  const wallets = walletsOf(service);
  const masters = (await wallets.list("?network=TRON")).filter(({ isForwardPayment }) => isForwardPayment === 0);
  const times = (await wallets.entries(masters.at(-1)?.address ?? "", "TRON")).map(({ timestamp }) =>
    Number(timestamp),
  );
  expect(times.length).toBeGreaterThanOrEqual(6);
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  expect(times[0]).toBeLessThanOrEqual(service.clock.now());
});

it("has forwarded everything from a forward wallet, which shows its reference", async () => {
  const wallets = walletsOf(service);
  const [forward] = (await wallets.list("?network=BTC")).filter(({ isForwardPayment }) => isForwardPayment === 1);
  expect(forward).toMatchObject({ reference: expect.stringMatching(/^pedido-/) });
  expect(await wallets.coins(forward?.address ?? "", "BITCOIN")).toBe("0");
});
