import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { LinePoint } from "@/lib/position/view";
import { civilDaysAgo } from "@/lib/text/time";
import { formatDate } from "@/lib/text/format";
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
        hrefOf={() => "/position"}
      />
    </NextIntlClientProvider>,
  );

it("names the day on which the line of a sum begins", () => {
  const first = civilDaysAgo(60);
  const text = shown([first, civilDaysAgo(0)].map((day) => ({ day, amount: "1.00", unread: 0 })));
  expect(text).toContain(`Since ${formatDate(first, "en")}: `);
  expect(text).not.toContain("Last 90 days");
  expect(text).toContain(`<span>${formatDate(first, "en")}</span><span>${formatDate(civilDaysAgo(0), "en")}</span>`);
  expect(text).toContain('d="M0 0h0M60 0h0"');
});

it("says in which days nothing was read", () => {
  expect(shown([])).toContain(english.position.line.none);
});
