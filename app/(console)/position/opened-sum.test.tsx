import { NextIntlClientProvider } from "next-intl";
import { parse } from "node-html-parser";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { LinePoint } from "@/lib/position/view";
import { civilDaysAgo } from "@/lib/text/time";
import { formatDate, formatMoment } from "@/lib/text/format";
import english from "@/messages/en.json";
import { OpenedSumSection } from "./opened-sum";

const ether = { network: "ETHEREUM", asset: "ETH", token: "", kind: "customer", part: "available" } as const;

const shown = (line: readonly LinePoint[]): string =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <OpenedSumSection
        tellsOwn
        sum={ether}
        line={line}
        parts={{ rows: [], page: 1, totalPages: 1, total: 0 }}
        flow={{ days: [], untold: 0 }}
        changed={null}
        hrefOf={() => "/position"}
        closeHref="/position"
      />
    </NextIntlClientProvider>,
  );

it("names the day on which a sum's line begins", () => {
  const first = civilDaysAgo(60);
  const text = shown([first, civilDaysAgo(0)].map((day) => ({ day, amount: "1.00", unread: 0 })));
  expect(text).toContain(`Since ${formatDate(first, "en")}`);
  expect(text).not.toContain("Last 90 days");
  const { day } = formatMoment(first, "en");
  expect(text).toContain(`<span>${day}</span>`);
  expect(text).toContain('d="M0 0h0M60 0h0"');
});

it("is read by keys: the last day first, with its value and what it lacks", () => {
  const days = [civilDaysAgo(2), civilDaysAgo(0)];
  const slider = parse(shown(days.map((day) => ({ day, amount: "1.00000000000001", unread: 3 })))).querySelector(
    "input[type=range]",
  );
  expect(slider?.getAttribute("max")).toBe("2");
  expect(slider?.getAttribute("aria-valuetext")).toBe(
    `${formatDate(civilDaysAgo(0), "en")}: 1.00000000000001 ETH, incomplete: 3 not read`,
  );
});

it("stands at the last day read whole, though a later one was read in part", () => {
  const [whole, part] = [1, 0].map((ago) => ({ day: civilDaysAgo(ago), amount: "2", unread: ago === 0 ? 1 : 0 }));
  const line = [whole, part].flatMap((one) => one ?? []);
  const slider = parse(shown(line)).querySelector("input[type=range]");
  expect(slider?.getAttribute("aria-valuetext")).toBe(`${formatDate(civilDaysAgo(1), "en")}: 2 ETH`);
});

it("says in which days nothing was read", () => {
  expect(shown([])).toContain(english.position.line.none);
});
