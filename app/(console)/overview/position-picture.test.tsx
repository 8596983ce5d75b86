import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { parse } from "node-html-parser";
import { expect, it } from "vitest";
import type { Position } from "@/lib/position/queries";
import type { PositionSum } from "@/lib/position/view";
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
  tellsOwn: false,
  sums: [
    ...["A", "B", "C", "D"].map((asset) => coin(asset, "0")),
    ...["F", "G", "H"].map((asset) => coin(asset, "1")),
    coin("Y", "1", { value: "5.00" }),
    coin("Z", "1", { value: "700.00" }),
  ],
};

const pictureOf = (sums: PositionSum[]) =>
  parse(
    renderToStaticMarkup(
      <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
        <PositionPicture position={{ ...position, sums }} />
      </NextIntlClientProvider>,
    ),
  );

it("says that sums are ordered by network where none has a rate", () => {
  const { byNetwork } = english.position;
  expect(pictureOf([coin("A", "1"), coin("B", "1")]).text).toContain(byNetwork);
  expect(pictureOf(position.sums).text).not.toContain(byNetwork);
});

it("shows the four largest sums of a group and counts those at zero", () => {
  const html = pictureOf(position.sums);
  const names = html.querySelectorAll("dt").map(({ text }) => text.replace(/^.*· (\w) ·.*$/, "$1"));
  expect(names).toEqual(["Z", "Y", "F", "G"]);
  expect(html.text).toContain("4 assets at zero");
});
