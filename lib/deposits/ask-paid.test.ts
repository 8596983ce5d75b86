import { describe, expect, it } from "vitest";
import { FAMILY_NETWORKS, NETWORKS } from "@/lib/contract/crypto";
import { DEPOSIT_STAGES, PAID_VERDICTS, type PaidVerdict } from "@/lib/db/enums/deposits";
import {
  askedIn,
  type Findings,
  type FoundArrival,
  type FoundExpectation,
  judgePayment,
  type KnownToken,
  networksOfHash,
  type PaidPlace,
  planReads,
} from "./ask-paid";
import { MOST_CALLS, READ_STATES } from "./paid-view";

const HASH = "ab".repeat(32);
const EVM = `0x${"Cd".repeat(20)}`;
const TRON = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const BITCOIN = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const XRPL = "rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B";

const networksIn = (text: string) => {
  const { hashes, linked } = askedIn(text);
  return hashes.map((hash) => networksOfHash(hash, linked));
};

describe("what was pasted", () => {
  it.each([
    ["a hash", HASH],
    ["with its prefix", `0x${HASH}`],
    ["in capitals and with invisible signs", `\u200b0X${HASH.toUpperCase()}\u00ad `],
    ["in a sentence", `paguei ontem (0x${HASH}).`],
    ["behind its name", `hash:0x${HASH}`],
    ["as a link", `https://etherscan.io/tx/0x${HASH}`],
    ["as a link with a fragment", `https://tronscan.org/#/transaction/${HASH}?lang=pt`],
  ])("finds %s", (_, text) => {
    const { hashes } = askedIn(text);
    expect(hashes.map((hash) => hash.toLowerCase().replace(/^0x/, ""))).toEqual([HASH]);
  });

  it.each([
    [EVM, EVM],
    [EVM.slice(2), EVM],
    [`ethereum:${EVM}@1`, EVM],
    [`https://polygonscan.com/address/${EVM}`, EVM],
    [TRON, TRON],
    ["41A614F803B6FD780986A42C78EC9C7F77E6DED13C", TRON],
    [`bitcoin:${BITCOIN}?amount=0.1`, BITCOIN],
    [BITCOIN.toUpperCase(), BITCOIN],
    [`${XRPL}:1234`, XRPL],
  ])("finds the address in %s", (text, address) => {
    expect(askedIn(text).addresses).toContain(address);
  });

  it("tries a reference whole, and each word of what a customer wrote", () => {
    expect(askedIn(" pedido 204 ").references[0]).toBe("pedido 204");
    const both = askedIn(`pedido-20418; 0x${HASH}`);
    expect(both.references).toContain("pedido-20418");
    expect(both.hashes).toEqual([`0x${HASH}`]);
  });

  it("tries what may be two things as each", () => {
    const asked = askedIn(TRON);
    expect([asked.addresses, asked.references]).toEqual([[TRON], [TRON]]);
  });

  it("looks for a hash where hashes are written so", () => {
    const bare = new Map<string, never>();
    expect(networksOfHash(`0x${HASH}`, bare)).toEqual(FAMILY_NETWORKS.EVM);
    expect(networksOfHash(HASH, bare)).toHaveLength(6);
    expect(networksOfHash("5".repeat(87), bare)).toEqual(["SOLANA"]);
  });

  it("looks for a hash on the network of the link it came in, where it is written so", () => {
    const signature = "5".repeat(87);
    expect(networksIn(`https://livenet.xrpl.org/transactions/${HASH.toUpperCase()}`)).toEqual([["XRPL"]]);
    expect(networksIn(`paguei: <https://polygonscan.com/tx/0x${HASH}>.`)).toEqual([["POLYGON"]]);
    expect(networksIn(`https://etherscan.io/tx/${signature}`)).toEqual([["SOLANA"]]);
    const other = "cd".repeat(32);
    expect(networksIn(`https://tronscan.org/#/transaction/${HASH} ${other}`).map(({ length }) => length)).toEqual([
      1, 6,
    ]);
  });
});

/** The same numbers for the same seed. */
function seeded(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

const SEEDS = Array.from({ length: 4_000 }, (_, nth) => nth);

const placesOf = (below: (most: number) => number): PaidPlace[] =>
  Array.from({ length: below(40) }, (_, nth) => ({
    walletId: `w${nth}`,
    address: `a${nth}`,
    network: NETWORKS[below(NETWORKS.length)] ?? "ETHEREUM",
    isLikely: below(3) === 0,
  }));
const tokensOf = (below: (most: number) => number): KnownToken[] =>
  Array.from({ length: below(30) }, (_, nth) => ({
    network: NETWORKS[below(NETWORKS.length)] ?? "ETHEREUM",
    address: `t${nth}`,
    asset: null,
    times: below(100),
    isWanted: below(4) === 0,
  }));

describe("what is read", () => {
  it("is never more than twelve calls, and what is left out is named", () => {
    for (const seed of SEEDS.slice(0, 500)) {
      const below = seeded(seed);
      const places = placesOf(below);
      const tokens = tokensOf(below);
      const { reads, leftOut } = planReads(places, tokens);
      const all = places.flatMap((place) => [null, ...tokens.filter(({ network }) => network === place.network)]);
      expect(reads.length).toBe(Math.min(MOST_CALLS, all.length));
      expect(reads.length + leftOut.length).toBe(all.length);
      expect(new Set([...reads, ...leftOut]).size).toBe(all.length);
      const whole = new Set(reads.flatMap(({ place, token }) => (token === null ? [place] : [])));
      expect(reads.every(({ place }) => whole.has(place))).toBe(true);
    }
  });

  it("is each of three networks, and first the token that is expected", () => {
    const places = FAMILY_NETWORKS.EVM.map((network) => ({
      walletId: "w",
      address: EVM,
      network,
      isLikely: network === "POLYGON",
    }));
    const tokens = FAMILY_NETWORKS.EVM.flatMap((network) =>
      ["USDT", "USDC", "DAI", "JUNK", "SPAM"].map((asset, nth) => ({
        network,
        address: `${network} ${asset}`,
        asset,
        times: 5 - nth,
        isWanted: asset === "USDC",
      })),
    );
    const { reads, leftOut } = planReads(places, tokens);
    const named = reads.map(({ place, token }) => `${place.network} ${token?.asset ?? ""}`.trim());
    expect(named.slice(0, 6)).toEqual(["POLYGON", "POLYGON USDC", "ETHEREUM", "BSC", "ETHEREUM USDC", "BSC USDC"]);
    expect([reads.length, leftOut.length]).toEqual([12, 6]);
    expect(leftOut.every(({ token }) => ["JUNK", "SPAM"].includes(token?.asset ?? ""))).toBe(true);
  });
});

const pick = <One>(below: (most: number) => number, ...all: One[]): One | null => all[below(all.length)] ?? null;

function arrivalOf(below: (most: number) => number, nth: number): FoundArrival {
  return {
    id: `a${nth}`,
    reference: pick(below, "PED-1", "PED-2", null),
    network: pick(below, "ETHEREUM" as const, "TRON" as const, null),
    amount: pick(below, "10", "10.0", "7", "12.5", "x") ?? "10",
    token: pick(below, "0xc", "", null),
    asset: pick(below, "USDT", "ETH", null),
    at: new Date(below(1_000)),
    stage: DEPOSIT_STAGES[below(DEPOSIT_STAGES.length)] ?? null,
    hasEvent: below(2) === 0,
    expectedId: below(3) === 0 ? "e0" : null,
  };
}

function findingsOf(seed: number): Findings {
  const below = seeded(seed);
  const expectedOf = (_: unknown, nth: number): FoundExpectation => ({
    id: `e${nth}`,
    amount: pick(below, "10", "8") ?? "10",
    network: pick(below, "ETHEREUM" as const, null),
    asset: pick(below, "usdt", null),
    typedAt: new Date(below(1_000)),
    isOpen: below(2) === 0,
  });
  return {
    subject: pick(below, "hash", "address", "reference", "foreign-address", "nothing") ?? "nothing",
    reference: pick(below, "PED-1", null),
    arrivals: Array.from({ length: below(3) }, (_, nth) => arrivalOf(below, nth)),
    expected: Array.from({ length: below(3) }, expectedOf),
    elsewhere: pick(below, null, null, null, "own-wallet", "left"),
    reads: Array.from({ length: below(3) }, () => ({ state: READ_STATES[below(READ_STATES.length * 2)] ?? "read" })),
  };
}

const SAYS_ARRIVED: ReadonlySet<PaidVerdict> = new Set(["paid", "no-event", "swept", "short", "over"]);
const SAYS_NOTHING: ReadonlySet<PaidVerdict> = new Set(["not-seen", "not-seen-in-part", "hash-nowhere", "unread"]);

describe("the answer", () => {
  const judged = SEEDS.map((seed) => {
    const findings = findingsOf(seed);
    return { findings, ...judgePayment(findings) };
  });

  it("is each of the verdicts for some of what may be found", () => {
    expect([...new Set(judged.map(({ verdict }) => verdict))].toSorted()).toEqual([...PAID_VERDICTS].toSorted());
  });

  it("says that nothing arrived only where everything was read to its end", () => {
    const nothing = judged.filter(({ verdict }) => verdict === "not-seen");
    expect(nothing.length).toBeGreaterThan(0);
    for (const { findings } of nothing) {
      expect(findings.reads.length).toBeGreaterThan(0);
      expect(findings.reads.every(({ state }) => state === "read")).toBe(true);
    }
  });

  it("never hides an arrival that was asked about behind nothing found", () => {
    for (const { findings, verdict } of judged) {
      if (!SAYS_NOTHING.has(verdict)) continue;
      const open = findings.subject === "hash" ? [] : findings.expected.filter(({ isOpen }) => isOpen);
      const isBefore = ({ at }: FoundArrival) => open.every(({ typedAt }) => at < typedAt);
      const isOther = (one: FoundArrival) => one.expectedId !== null || isBefore(one);
      expect(findings.arrivals.every((one) => open.length > 0 && isOther(one))).toBe(true);
    }
  });

  it("says paid only of what is on its network and was told by an event", () => {
    const there = judged.filter(({ verdict }) => SAYS_ARRIVED.has(verdict));
    const stages = [...new Set(there.flatMap(({ arrival }) => arrival?.stage ?? "none"))];
    expect(stages.toSorted()).toEqual(["confirmed", "summed", "swept"]);
    const paid = there.filter(({ verdict }) => verdict === "paid");
    expect(paid.filter(({ arrival }) => arrival?.hasEvent !== true)).toEqual([]);
  });

  it("tells how far an amount is from what is still expected", () => {
    const arrival = { ...arrivalOf(seeded(1), 0), reference: "PED-1", network: "ETHEREUM" as const, asset: "USDT" };
    const there = { ...arrival, stage: "confirmed" as const, hasEvent: true, expectedId: null };
    const expected = {
      id: "e",
      amount: "10",
      network: "ETHEREUM" as const,
      asset: "USDT",
      typedAt: there.at,
      isOpen: true,
    };
    const asked = {
      subject: "reference" as const,
      reference: "PED-1",
      elsewhere: null,
      reads: [{ state: "read" as const }],
    };
    const of = (amount: string, changes: Partial<FoundExpectation> = {}) =>
      judgePayment({ ...asked, arrivals: [{ ...there, amount }], expected: [{ ...expected, ...changes }] }).verdict;
    expect([of("9.99"), of("10.01"), of("10.00")]).toEqual(["short", "over", "paid"]);
    expect(of("10", { network: "TRON" })).toBe("other-network");
    expect(of("10", { asset: "USDC" })).toBe("other-asset");
    expect(of("9", { isOpen: false })).toBe("paid");
    const typedAt = new Date(there.at.getTime() + 1);
    expect(of("9.99", { typedAt })).toBe("not-seen");
    expect(of("10", { typedAt, network: "TRON" })).toBe("other-network");
  });
});
