import { describe, expect, it } from "vitest";
import { figuresOf, groupToDraw, momentOf, type PositionSum, readRate, spanOf } from "./view";

describe("a typed rate", () => {
  it.each([
    ["5,43", "5.43"],
    ["5.43", "5.43"],
    ["R$ 5,4321", "5.4321"],
    ["R$\u00a05,4321", "5.4321"],
    ["brl 5.4321", "5.4321"],
    ["1.234,56", "1234.56"],
    ["1,234.56", "1234.56"],
    ["350 000,00", "350000"],
    ["1.350.000", "1350000"],
    ["350000", "350000"],
    [" 05,4300 ", "5.43"],
  ])("is %j in any usual spelling: %s", (typed, value) => {
    expect(readRate(typed, "pt-BR")).toBe(value);
    expect(readRate(typed, "en")).toBe(value);
  });

  it("has three decimals by the mark of its reader's language alone", () => {
    expect(readRate("5,432", "pt-BR")).toBe("5.432");
    expect(readRate("5.432", "pt-BR")).toBe("ambiguous");
    expect(readRate("5.432", "en")).toBe("5.432");
    expect(readRate("5,432", "en")).toBe("ambiguous");
  });

  it.each(["", "0", "0,00", "-1", "5,4,3", "1.23.456", "cinco", "5e3", `1${"0".repeat(15)}`, `0,${"0".repeat(18)}1`])(
    "is not %j",
    (typed) => {
      expect(readRate(typed, "pt-BR")).toBeNull();
    },
  );
});

const reais: PositionSum = {
  network: "",
  asset: "BRL",
  token: "",
  kind: "own-account",
  part: "available",
  amount: "1000.00",
  readings: 1,
  unread: 0,
  oldestAt: null,
  before: "900.00",
  difference: "100.00",
  isDifferencePartial: false,
  isGone: false,
  rate: null,
  value: null,
};

const rate = (value: string) => ({ value, day: "2026-07-01", source: "PTAX", byName: "Ana" });

const coin = (asset: string, changes: Partial<PositionSum> = {}): PositionSum => ({
  ...reais,
  network: "ETHEREUM",
  asset,
  kind: "own",
  amount: "2",
  before: "1",
  difference: "1.00",
  ...changes,
});

describe("a figure", () => {
  it("adds up what is unread of each network and kind, once beside several assets", () => {
    const unread = { amount: null, difference: null, before: null };
    const sums = [
      { ...reais, ...unread, unread: 2 },
      coin("ETH", { ...unread, unread: 3, rate: rate("2") }),
      coin("USDC", { ...unread, unread: 3, rate: rate("2") }),
      coin("", { ...unread, network: "TRON", unread: 1 }),
    ];
    expect(figuresOf(sums)).toMatchObject([{ unread: 6 }]);
  });

  it("adds reais and coins at their rates, and names those without a rate", () => {
    const sums = [
      reais,
      coin("ETH", { rate: rate("50.005") }),
      coin("USDT"),
      coin("BNB"),
      coin("BNB", { token: "0x1" }),
    ];
    expect(figuresOf(sums)).toEqual([
      { group: "own", amount: "1100.01", difference: "150.01", perMille: 158, unread: 0, unrated: ["BNB", "USDT"] },
    ]);
  });

  it("names the network of a coin without a rate where another network's has one", () => {
    const sums = [coin("USDC", { rate: rate("5.40") }), coin("USDC", { network: "TRON" }), coin("BNB")];
    expect(figuresOf(sums)).toMatchObject([{ unrated: ["BNB", "USDC (TRON)"] }]);
  });

  it("is apart for own money, customers' money and what has no use, own first", () => {
    const sums = [coin("ETH", { kind: "untold" }), { ...reais, kind: "account" as const }, reais];
    expect(figuresOf(sums).map(({ group, amount }) => [group, amount])).toEqual([
      ["own", "1000.00"],
      ["customers", "1000.00"],
      ["unset", null],
    ]);
  });

  it("has no change where something was not read, and is never 0 for it", () => {
    const unread = { amount: null, difference: null, before: null, unread: 2 };
    expect(figuresOf([reais, coin("ETH", { ...unread, rate: rate("2") })])).toMatchObject([
      { amount: "1000.00", difference: null, perMille: null, unread: 2 },
    ]);
    expect(figuresOf([{ ...reais, ...unread }])).toMatchObject([{ amount: null, difference: null, unread: 2 }]);
  });

  it("has no percentage of nothing, and a negative one of a loss", () => {
    expect(figuresOf([{ ...reais, before: "0", difference: "1000.00" }])).toMatchObject([{ perMille: null }]);
    expect(figuresOf([{ ...reais, before: "2000", difference: "-1000.00" }])).toMatchObject([{ perMille: -500 }]);
  });

  it.each([
    ["45.97 %", "977282.66", "449257.21", 460],
    ["0.461 %", "995000.00", "4586.95", 5],
    ["a fall of 0.25 %", "1000.00", "-2.50", -3],
    ["0.04 %", "1000.00", "0.40", 0],
  ])("rounds %s to the nearest tenth of a per cent", (_what, before, difference, perMille) => {
    const amount = String(Number(before) + Number(difference));
    expect(figuresOf([{ ...reais, amount, before, difference }])).toMatchObject([{ perMille }]);
  });

  it("is drawn of the first group that holds anything", () => {
    const nothing = { ...reais, amount: "0", difference: "0", before: "0" };
    const customers = { ...reais, kind: "account" as const };
    expect(groupToDraw(figuresOf([nothing, customers]))).toBe("customers");
    expect(groupToDraw(figuresOf([nothing]))).toBe("own");
    expect(groupToDraw([])).toBeNull();
  });

  it("is 0 where all coins are at zero, whether they have a rate or not", () => {
    const nothing = { amount: "0", before: "0", difference: "0" };
    expect(figuresOf([coin("ETH", nothing), coin("USDT", nothing)])).toMatchObject([
      { amount: "0.00", difference: "0.00", unrated: [] },
    ]);
    expect(figuresOf([coin("ETH", nothing), coin("USDT")])).toMatchObject([{ amount: null, unrated: ["USDT"] }]);
  });

  it("does not name a coin at zero", () => {
    expect(figuresOf([reais, coin("ETH", { amount: "0", difference: "0" })])).toMatchObject([{ unrated: [] }]);
  });
});

it("tells from when until when a day was read", () => {
  const times = { startedAt: "2026-11-29T01:43:52.000Z", finishedAt: "2026-11-29T02:00:30.000Z" };
  const round = { day: "2026-11-28", ...times, oldestAt: null, newestAt: null };
  expect(spanOf(momentOf(round, round.day), "pt-BR")).toBe("22:43–23:00");
  expect(spanOf(momentOf({ ...round, finishedAt: null }, round.day), "en")).toBe("22:43");
  expect(spanOf(momentOf({ ...round, finishedAt: "2026-11-29T01:43:58.000Z" }, round.day), "en")).toBe("22:43");
});

it("dates a day by its readings, not by when the last source was tried", () => {
  const times = { startedAt: "2026-11-29T03:05:00.000Z", finishedAt: "2026-11-29T16:40:00.000Z" };
  const read = { oldestAt: "2026-11-29T16:20:00.000Z", newestAt: "2026-11-29T16:23:00.000Z" };
  const moment = momentOf({ day: "2026-11-29", ...times, ...read }, "2026-11-29");
  expect([moment.as, spanOf(moment, "pt-BR")]).toEqual(["today", "13:20–13:23"]);
  const mixed = momentOf({ day: "2026-11-29", ...times, ...read, oldestAt: "2026-11-29T03:06:00.000Z" }, "2026-11-30");
  expect([mixed.as, spanOf(mixed, "pt-BR")]).toEqual(["read", "00:06–13:23"]);
});
