import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { parse } from "node-html-parser";
import { describe, expect, it, vi } from "vitest";
import type { Position } from "@/lib/position/queries";
import type { PositionSum } from "@/lib/position/view";
import type { SumKey } from "@/lib/db/enums/position";
import english from "@/messages/en.json";
import { SumsTable } from "./sums-table";

// What is folded is made in a browser alone.
vi.mock("@/components/ui/fold", () => import("@/test/support/open-fold"));
vi.mock("./rate-button", () => ({ RateButton: ({ day }: { day: string }) => <button>{`Set rate, ${day}`}</button> }));

const whole: PositionSum = {
  network: "ETHEREUM",
  asset: "ETH",
  token: "",
  kind: "customer",
  part: "available",
  amount: "1234.000000000000000001",
  readings: 2,
  unread: 0,
  oldestAt: "2026-07-01T03:10:00.000Z",
  before: "1.00",
  difference: "1233.000000000000000001",
  isDifferencePartial: false,
  isGone: false,
  rate: null,
  value: null,
};

function marked(
  changes: Partial<PositionSum>,
  opened: SumKey | null = null,
  sums = [{ ...whole, ...changes }],
  { rateDenial = "Only administrators", ...about }: Partial<Position> & { rateDenial?: string | null } = {},
): string {
  const position: Position = {
    asOf: "2026-07-01T03:10:00.000Z",
    isStale: false,
    failure: null,
    day: "2026-07-01",
    against: "2026-06-30",
    round: null,
    moment: { as: "opening", at: "2026-07-01T03:05:00.000Z", until: null },
    againstMoment: { as: "closing", at: "2026-07-01T02:59:59.000Z", until: null },
    reading: null,
    betweenReadings: 0,
    againCost: null,
    listed: null,
    tellsOwn: true,
    sums,
    ...about,
  };
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <SumsTable position={position} rateDenial={rateDenial} opened={opened} hrefOf={() => "/position?asset=ETH"} />
    </NextIntlClientProvider>,
  );
}

const shown = (changes: Partial<PositionSum>, sums?: PositionSum[], about?: Partial<Position>): string =>
  marked(changes, null, sums, about)
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");

it("lists own funds first and names the date compared with", () => {
  const text = shown({}, [
    { ...whole, kind: "untold" },
    whole,
    { ...whole, kind: "account" },
    { ...whole, kind: "own" },
    { ...whole, kind: "own-account" },
  ]);
  const { own, customers, unset } = english.position.groups;
  expect(text).toMatch(
    new RegExp(
      `${own} Your own accounts in reais .*Own wallets .*${customers} Reais in customers’ accounts .*Customers’ wallets .*${unset}`,
    ),
  );
  expect(text).toMatch(/Since .*, closing 23:59/);
  expect(text).not.toContain("Difference from");
});

it("shows no change since a later day, only the difference from it", () => {
  const html = parse(marked({}, null, undefined, { against: "2026-07-02" }));
  expect(html.text).toMatch(/Difference from .*2.*2026, closing 23:59/);
  expect(html.text).not.toContain("Since");
});

it("sets a rate for the day that is shown", () => {
  expect(marked({}, null, undefined, { rateDenial: null })).toContain("Set rate, 2026-07-01");
});

it("says that coins are ordered by network until one has a rate", () => {
  const { byNetwork } = english.position;
  const later = { ...whole, network: "BITCOIN", asset: "BTC", amount: null, oldestAt: null, isGone: true };
  const html = parse(marked({}, null, [whole, later]));
  expect(html.text).toContain(byNetwork);
  expect(html.querySelectorAll("tr a").map(({ text }) => text.split(" ")[0])).toEqual(["BTC", "ETH"]);
  const rate = { value: "2", day: "2026-06-30", source: "PTAX", byName: "Ana" };
  expect(shown({}, [{ ...whole, rate, value: "9.00" }, later])).not.toContain(byNetwork);
  expect(shown({})).not.toContain(byNetwork);
});

it("says that reais without a known owner may be the company's own", () => {
  const text = shown({}, [{ ...whole, kind: "account" }], { tellsOwn: false });
  const { groups, kinds, ownUntold } = english.position;
  expect(text).toContain(`${groups.perhapsOwn} ${kinds["any-account"]} ${ownUntold}`);
});

it("lists the largest sums in reais first and folds zero balances", () => {
  const rate = { value: "2", day: "2026-06-30", source: "PTAX", byName: "Ana" };
  const zero = { amount: "0", difference: "0", before: "0" };
  const html = parse(
    marked({}, null, [
      { ...whole, ...zero, asset: "AAVE" },
      { ...whole, asset: "BNB" },
      { ...whole, asset: "DAI", rate, value: "10.00" },
      { ...whole, asset: "ETH", rate, value: "9000.00" },
      { ...whole, ...zero, asset: "FELL", difference: "-4" },
    ]),
  );
  const names = html.querySelectorAll("tr a").map(({ text }) => text.split(" ")[0]);
  expect(names).toEqual(["ETH", "DAI", "BNB", "FELL", "AAVE"]);
  expect(html.querySelector("details")?.text).toContain("1 asset at zero");
  expect(html.querySelectorAll("details a").map(({ text }) => text.split(" ")[0])).toEqual(["AAVE"]);
});

describe("a sum on the screen", () => {
  it("shows a sum's every digit, oldest reading and difference", () => {
    const text = shown({});
    const exact = parse(marked({})).text;
    expect(exact).toContain("1,234.000000000000000001 ETH");
    expect(exact).toContain("+1,233.000000000000000001 ETH");
    expect(text).toMatch(/Oldest reading .*00:10/);
    expect(text).not.toContain(english.position.notWhole);
  });

  it("says how many readings are missing from a sum and its difference", () => {
    const text = shown({ unread: 3, difference: null, isDifferencePartial: true });
    expect(text).toContain("3 not read");
    expect(text.split(english.position.notWhole)).toHaveLength(4);
  });

  it("shows a sum without any reading as unknown, not 0", () => {
    const text = shown({ amount: null, readings: 0, unread: 2, oldestAt: null, difference: null, before: null });
    expect(text).toContain(english.position.neverRead);
    expect(text).toContain("2 not read");
    expect(text.split(english.position.unknown)).toHaveLength(4);
    expect(text).not.toMatch(/\b0\b/);
  });

  it("says that an asset missing from every answer is no longer listed", () => {
    const text = shown({ amount: null, readings: 0, oldestAt: null, difference: null, isGone: true });
    expect(text).toContain(english.position.gone);
    expect(text).not.toContain(english.position.neverRead);
  });

  it("says that nothing is held of an asset that only the other day had", () => {
    const text = shown({ amount: "0", readings: 0, oldestAt: null, difference: "-1" });
    expect(text).toContain(english.position.notThen);
    expect(text).not.toContain(english.position.gone);
    expect(text).not.toContain(english.position.unknown);
  });

  it("says that an asset not read yet that day is pending", () => {
    const text = shown({ amount: null, readings: 0, oldestAt: null, difference: null });
    expect(text).toContain(english.position.neverRead);
    expect(text).not.toContain(english.position.gone);
  });

  it("never breaks a line within a number", () => {
    const markup = marked({});
    for (const [head, tail] of [
      ["1,234", ".000000000000000001"],
      ["\\+1,233", ".000000000000000001"],
    ])
      expect(markup).toMatch(new RegExp(`title="[^"]*${tail} ETH"><span class="whitespace-nowrap">${head}<.*${tail}<`));
  });

  it("leads to what makes it up, and is current once it is opened", () => {
    expect(marked({})).toContain('href="/position?asset=ETH"');
    expect(marked({}, { ...whole, asset: "BTC" })).not.toContain("aria-current");
    const markup = marked({}, whole);
    expect(markup).toMatch(/<tr aria-current="true"/);
    expect(markup).toMatch(/<a [^>]*aria-current="true"/);
  });

  it("shows a value in reais only beside its rate", () => {
    expect(shown({})).toContain(english.position.noRate);
    const rate = { value: "10000.50", day: "2026-06-30", source: "PTAX", byName: "Ana" };
    const text = shown({ rate, value: "12340617.00" });
    expect(text).toMatch(/R\$\s?12,340,617\.00/);
    expect(text).toMatch(/R\$\s?10,000\.50 .*2026, PTAX/);
  });
});
