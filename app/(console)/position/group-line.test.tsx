import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { LinePoint, PositionSum } from "@/lib/position/view";
import english from "@/messages/en.json";
import { GroupLine } from "./group-line";

const shown = (points: readonly LinePoint[], isRated = true, sums: readonly PositionSum[] = []) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <GroupLine
        group="own"
        position={{ day: "2026-11-01", tellsOwn: true, sums: [...sums] }}
        line={{ points: [...points], unrated: [], isRated }}
      />
    </NextIntlClientProvider>,
  );

const readout = (html: string) => /aria-valuetext="([^"]*)"/.exec(html)?.[1]?.replaceAll("\u00a0", " ");

it("reads out the page's day first, also where that was read in part", () => {
  const before = { day: "2026-10-31", amount: "90.00", unread: 0 };
  expect(readout(shown([before, { day: "2026-11-01", amount: "100.00", unread: 0 }]))).toBe("01 Nov 2026: R$100.00");
  expect(readout(shown([before, { day: "2026-11-01", amount: "80.00", unread: 1 }]))).toBe(
    "01 Nov 2026: R$80.00, incomplete: 1 not read",
  );
  expect(readout(shown([before]))).toBe(`01 Nov 2026: ${english.position.line.unreadDay}`);
});

it("ends with the figure above it, although the line was read a moment later", () => {
  const key = { network: "", asset: "BRL", token: "", kind: "own-account", part: "available" } as const;
  const rest = {
    readings: 1,
    unread: 0,
    oldestAt: null,
    rate: null,
    before: null,
    difference: null,
    value: null,
  } as const;
  const points = [
    { day: "2026-10-31", amount: "90.00", unread: 0 },
    { day: "2026-11-01", amount: "101.00", unread: 0 },
  ];
  expect(
    readout(shown(points, true, [{ ...key, ...rest, amount: "100.00", isDifferencePartial: false, isGone: false }])),
  ).toBe("01 Nov 2026: R$100.00");
});
