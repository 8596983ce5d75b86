import { NextIntlClientProvider } from "next-intl";
import { parse } from "node-html-parser";
import type { ComponentProps } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { SumKey } from "@/lib/db/enums/position";
import type { LinePoint, NamedChange } from "@/lib/position/view";
import { civilDaysAgo } from "@/lib/text/time";
import { formatDate, formatMoment } from "@/lib/text/format";
import english from "@/messages/en.json";
import { OpenedSumSection } from "./opened-sum";

type Changed = ComponentProps<typeof OpenedSumSection>["changed"];

const ether = { network: "ETHEREUM", asset: "ETH", token: "", kind: "customer", part: "available" } as const;

const shown = (line: readonly LinePoint[], changed: Changed = null, sum: SumKey = ether): string =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <OpenedSumSection
        day={civilDaysAgo(0)}
        tellsOwn
        sum={sum}
        line={line}
        parts={{ rows: [], page: 1, totalPages: 1, total: 0 }}
        flow={{ days: [], untold: 0 }}
        changed={changed}
        hrefOf={() => "/position"}
        closeHref="/position"
      />
    </NextIntlClientProvider>,
  );

it("names the day on which a sum's line begins", () => {
  const first = civilDaysAgo(60);
  const text = shown([first, civilDaysAgo(0)].map((day) => ({ day, amount: "1.00", unread: 0 })));
  expect(text).toContain(`Since ${formatDate(first, "en")}`);
  expect(text).not.toContain("90 days until");
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
  expect(shown([])).toContain(`No readings in the 90 days until ${formatDate(civilDaysAgo(0), "en")}.`);
});

const reais: SumKey = { network: "", asset: "BRL", token: "", kind: "account", part: "available" };
const changed = (row: Partial<NamedChange>): Changed => {
  const whole: NamedChange = {
    subject: "account:a",
    name: "0001 / 1-2",
    href: "/accounts/a",
    difference: "-433.99",
    entries: [{ as: "out", at: "2026-11-28T15:00:00.000Z", amount: "50.00", type: "PIX", href: "/accounts/a?entry=x" }],
    left: 0,
    leftSum: "0",
    untold: 0,
    blocked: "383.99",
    readUntil: "2026-11-29T03:30:00.000Z",
    gap: null,
    unexplained: "0.00",
  };
  const figures = { before: "934.00", amount: "500.01", difference: "-433.99", isDifferencePartial: false };
  return { against: "2026-11-28", againstMoment: null, figures, changes: { rows: [{ ...whole, ...row }], total: 1 } };
};
const textOf = (html: string) =>
  parse(html.replaceAll("</span>", " </span>")).text.replaceAll("\u00a0", " ").replaceAll(/\s+/g, " ");

it("tells why reais changed: by entries with their row, and what is blocked", () => {
  const html = shown([], changed({}), reais);
  expect(html).toContain('href="/accounts/a?entry=x"');
  const text = textOf(html);
  expect(text).toContain("From R$934.00 to R$500.01 −R$433.99");
  expect(text).toContain("PIX");
  expect(text).toContain("Blocked: a hold makes no entry until it is settled −R$383.99");
  expect(text).toContain("Explained −R$433.99 Not explained R$0.00 Difference −R$433.99");
});

it("adds rows up to the difference, with what is listed in none of them", () => {
  const text = textOf(shown([], changed({ difference: "-400.00", unexplained: "-12.00" }), reais));
  expect(text).toContain("Explained −R$388.00 Not explained −R$12.00 In none of these accounts or wallets −R$33.99");
  expect(text).toContain("Difference −R$433.99");
  const unread = textOf(shown([], changed({ difference: null, unexplained: null }), reais));
  expect(unread).not.toContain("Not explained");
});

it("names a transfer that its history does not tell, with its page", () => {
  const coins = { ...ether, token: "" };
  const held = { as: "out", at: "2026-11-28T15:00:00.000Z", amount: "12", sent: "HELD", href: "/coins/x" } as const;
  const row = { entries: [held], difference: "-12.1", unexplained: "-0.1", blocked: null, readUntil: null };
  const html = shown([], changed(row), coins);
  expect(html).toContain('href="/coins/x"');
  expect(textOf(html)).toMatch(/Sent, not in the history · 28 Nov 2026 12:00 · Held −12 ETH/);
  expect(textOf(html)).toContain(`${english.position.why.unexplainedFee} −0.1 ETH`);
  const back = { ...held, as: "in", sent: "REFUSED" } as const;
  expect(textOf(shown([], changed({ ...row, entries: [back] }), coins))).toContain("Given back");
});

it("shows what came in meanwhile as less beside a later day", () => {
  const compared = changed({});
  const later = compared === null ? null : { ...compared, against: "2999-01-01" };
  expect(textOf(shown([], later, reais))).toMatch(/PIX \+R\$50.00/);
});

it("says until when entries were read, and what they do not explain", () => {
  const gap = { why: "read-until", at: "2026-11-28T21:00:00.000Z" } as const;
  const text = textOf(shown([], changed({ gap, readUntil: gap.at, unexplained: "-12.00", blocked: "-1.00" }), reais));
  expect(text).toContain("No longer blocked: released, or settled by an entry +R$1.00");
  expect(text).toMatch(/Its entries are known only until 28 Nov 2026 18:00/);
  expect(text).toMatch(/Not explained by entries read until 28 Nov 2026 18:00 −R\$12.00/);
});
