import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { parse } from "node-html-parser";
import { expect, it } from "vitest";
import type { Position } from "@/lib/position/queries";
import type { GroupSeries, PositionSum } from "@/lib/position/view";
import { civilDaysAgo } from "@/lib/text/time";
import english from "@/messages/en.json";
import { PositionPicture } from "./position-picture";

const coin = (asset: string, amount: string, changes: Partial<PositionSum> = {}): PositionSum => ({
  network: "ETHEREUM",
  asset,
  token: "",
  kind: "own",
  part: "available",
  amount,
  readings: 1,
  unread: 0,
  oldestAt: null,
  before: null,
  difference: null,
  isDifferencePartial: false,
  isGone: false,
  rate: null,
  value: null,
  ...changes,
});

const position: Position = {
  asOf: null,
  isStale: false,
  failure: null,
  day: "2026-07-01",
  against: null,
  round: null,
  moment: null,
  againstMoment: null,
  reading: null,
  betweenReadings: 0,
  againCost: null,
  listed: null,
  tellsOwn: false,
  sums: [],
};

const pictureOf = (changes: Partial<Position>, line: Partial<GroupSeries> = {}) =>
  parse(
    renderToStaticMarkup(
      <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
        <PositionPicture
          position={{ ...position, ...changes }}
          group="own"
          line={{ points: [], unrated: [], isRated: false, ...line }}
        />
      </NextIntlClientProvider>,
    ),
  );

const figuresIn = (html: ReturnType<typeof parse>) => html.querySelectorAll("li").map(({ text }) => text);

it("compares each card with the same moment, changed or not, also with a later day", () => {
  const moment = { as: "closing" as const, at: "2026-07-01T02:59:59.000Z", until: null };
  const rate = { value: "1", day: "2026-07-01", source: "PTAX", byName: "Ana" };
  const sums = [
    coin("USDC", "5", { rate, value: "5.00", difference: "0", before: "5" }),
    coin("USDC", "7", { kind: "customer", rate, value: "7.00", difference: "2", before: "5" }),
  ];
  const [own, customers] = figuresIn(pictureOf({ against: "2026-06-30", againstMoment: moment, sums }));
  expect(own).toContain("No difference from 30 Jun 2026, closing 23:59");
  expect(customers).toContain("since 30 Jun 2026, closing 23:59");
  expect(figuresIn(pictureOf({ against: "2026-07-02", sums }))[0]).toContain("No difference from 02 Jul 2026");
});

const unreadPicture = (listed: number | null) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <PositionPicture position={{ ...position, listed }} group={null} line={null} />
    </NextIntlClientProvider>,
  );

it("says how many balances wait while none is read, as the lists beside show them", () => {
  expect(unreadPicture(56)).toContain("56 balances are listed and not yet read into the position");
  for (const none of [0, null]) expect(unreadPicture(none)).toContain(english.position.neverRead);
});

it("shows own money first, its change in reais and per cent, and what has no rate", () => {
  const against = {
    against: "2026-06-30",
    againstMoment: { as: "closing" as const, at: "2026-07-01T02:59:59.000Z", until: null },
  };
  const rate = { value: "5.00", day: "2026-07-01", source: "PTAX", byName: "Ana" };
  const [own, customers] = figuresIn(
    pictureOf({
      ...against,
      sums: [
        coin("USDT", "9", { kind: "customer" }),
        coin("USDC", "220", { rate, value: "1100.00", difference: "20", before: "200" }),
        coin("BNB", "1", { difference: "0", before: "1" }),
      ],
    }),
  );
  expect(own).toMatch(/^Own/);
  expect(own).toMatch(/R\$\s?1,100\.00/);
  expect(own).toMatch(/\+R\$\s?100\.00 \(\+10\.0%\) since 30 Jun 2026, closing 23:59/);
  expect(own).toContain("Without BNB: no rate");
  expect(customers).toContain(english.position.figures.noValue);
});

it("says that a change is unknown where something was not read", () => {
  const rate = { value: "5.00", day: "2026-07-01", source: "PTAX", byName: "Ana" };
  const [own] = figuresIn(
    pictureOf({ against: "2026-06-30", sums: [coin("USDC", "220", { rate, value: "1100.00", unread: 2 })] }),
  );
  expect(own).toContain(english.position.figures.noChange);
  expect(own).toContain("2 not read");
});

it("draws the line of the first, with its axis in reais", () => {
  const points = [civilDaysAgo(1), civilDaysAgo(0)].map((day) => ({ day, amount: "1500000.00", unread: 0 }));
  const html = pictureOf({ day: civilDaysAgo(0), sums: [coin("A", "1")] }, { points, unrated: ["BNB"] });
  expect(html.text).toContain("R$1.5M");
  expect(html.text).toContain("No day includes BNB: no rate on");
  expect(html.querySelector("input[type=range]")?.getAttribute("aria-valuetext")).toContain("1,500,000.00");
  expect(pictureOf({ sums: [coin("A", "1")] }).text).toContain(english.position.figures.noLine);
});
