import * as fc from "fast-check";
import { eq, sum } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FAMILY_NETWORKS, NETWORKS } from "@/lib/contract/crypto";
import { fromUnits } from "@/service/ledger/account";
import { ledgerAccount, ledgerEntry } from "@/service/store/schema";
import { expectBalancedBooks } from "@/test/support/service/ledger";
import { type Harness, startService } from "@/test/support/service/harness";
import { familyOf } from "@/lib/contract/addresses";
import { nativeAsset, networkFee } from "./chain";
import { STRANGERS, type WalletsAtHand, walletsOf } from "@/test/support/service/crypto";

// A timed-out property keeps running and would disturb later files.
const TIMEOUT_MS = 120_000;
const DECIMALS = 18;
const FEE = networkFee("BSC");
/** Small enough that many transfers find too little, and beyond 64 bits so that no float or integer column would do. */
const units = fc.oneof(fc.bigInt(1n, FEE * 3n), fc.bigInt(10n ** 17n, 9n * 10n ** 18n));
const NAMES = ["one", "other", "master", "checkout"] as const;
const wallet = fc.constantFrom(...NAMES);
const step = fc.oneof(
  fc.record({ kind: fc.constant("deposit" as const), to: wallet, units }),
  fc.record({
    kind: fc.constant("transfer" as const),
    from: wallet,
    to: fc.oneof(wallet, fc.constant("world")),
    units,
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

let service: Harness;
let wallets: WalletsAtHand;

async function begin(): Promise<void> {
  service = await startService({ environment: { SERVICE_RATE_LIMIT_PER_MINUTE: "1000000" } });
  wallets = walletsOf(service);
}
beforeEach(begin);
afterEach(() => expectBalancedBooks(service.call().db));

/** The wallets' balances by the rules alone; `outcomeOf` gives the expected result of a request. */
function model() {
  const holdings = new Map<string, bigint>(NAMES.map((name) => [name, 0n]));
  const of = (name: string) => holdings.get(name) ?? 0n;
  const receive = (to: string, amount: bigint) => {
    const keeper = to === "checkout" ? "master" : to;
    holdings.set(keeper, of(keeper) + amount);
  };
  const outcomeOf = (each: Step): number => {
    if (each.kind === "transfer") {
      if (each.from === each.to) return 400;
      if (of(each.from) < each.units + FEE) return 422;
      holdings.set(each.from, of(each.from) - each.units - FEE);
    }
    receive(each.to, each.units);
    return 200;
  };
  return { of, outcomeOf };
}

async function openFour(): Promise<Map<string, string>> {
  const master = await wallets.create("EVM");
  const one = await wallets.create("EVM");
  const other = await wallets.create("EVM");
  const checkout = await wallets.checkedOut({ network: "EVM" });
  return new Map([
    ["master", master.address],
    ["one", one.address],
    ["other", other.address],
    ["checkout", checkout.address],
    ["world", STRANGERS.BSC],
  ]);
}

async function follow(steps: readonly Step[]): Promise<void> {
  await begin();
  const addresses = await openFour();
  const at = (name: string) => addresses.get(name) ?? "";
  const expected = model();
  for (const each of steps) {
    const amount = fromUnits(each.units, DECIMALS);
    const { status } =
      each.kind === "deposit"
        ? await wallets.deposit({ network: "BSC", address: at(each.to), amount })
        : await wallets.transfer({ network: "BSC", fromAddress: at(each.from), to: at(each.to), amount });
    expect(status).toBe(expected.outcomeOf(each));
  }
  for (const name of NAMES) expect(await wallets.coins(at(name), "BSC")).toBe(fromUnits(expected.of(name), DECIMALS));
  await expectBalancedBooks(service.call().db);
}

describe("whatever is deposited and sent", () => {
  it(
    "keeps every wallet and every asset's total as the rules say",
    async () => {
      await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), follow), { numRuns: 10 });
      const sums = await service
        .call()
        .db.select({ assetId: ledgerAccount.assetId, total: sum(ledgerEntry.amount) })
        .from(ledgerEntry)
        .innerJoin(ledgerAccount, eq(ledgerAccount.id, ledgerEntry.accountId))
        .groupBy(ledgerAccount.assetId);
      expect(sums.filter(({ total }) => total !== "0")).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe("an amount of any size", () => {
  it(
    "books an amount of any size on every network to the last unit",
    async () => {
      const addresses = new Map<string, string>();
      for (const network of NETWORKS)
        if (FAMILY_NETWORKS[familyOf(network)][0] === network)
          addresses.set(familyOf(network), (await wallets.create(familyOf(network))).address);
      const held = new Map<string, bigint>();
      const deposit = fc.record({ network: fc.constantFrom(...NETWORKS), amount: fc.bigInt(1n, 10n ** 50n) });
      await fc.assert(
        fc.asyncProperty(deposit, async ({ network, amount }) => {
          const { decimals } = nativeAsset(network);
          const address = addresses.get(familyOf(network)) ?? "";
          await wallets.deposit({ network, address, amount: fromUnits(amount, decimals) });
          const total = (held.get(network) ?? 0n) + amount;
          held.set(network, total);
          expect(await wallets.coins(address, network)).toBe(fromUnits(total, decimals));
        }),
        { numRuns: 60, endOnFailure: true },
      );
    },
    TIMEOUT_MS,
  );
});
