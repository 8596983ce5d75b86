import { NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { parse } from "node-html-parser";
import { expect, it, vi } from "vitest";
import english from "@/messages/en.json";
import { CallsPicture, CaseFlow, Deadlines, DeliveriesPicture, OnboardingFunnel, OversightPicture } from "./pictures";

// What is folded is made in a browser alone.
vi.mock("@/components/ui/fold", () => import("@/test/support/open-fold"));

const fresh = { asOf: "2026-11-22T13:00:00Z", isStale: false, failure: null };
const never = { ...fresh, asOf: null };
const none = { late: 0, today: 0, tomorrow: 0, "after-tomorrow": 0 };

const drawn = (picture: ReactNode) =>
  parse(
    renderToStaticMarkup(
      <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
        {picture}
      </NextIntlClientProvider>,
    ),
  );

const rowsOf = (html: ReturnType<typeof parse>) =>
  html.querySelectorAll("tr").map((row) => row.querySelectorAll("th, td").map(({ text }) => text));

const endsOf = (html: ReturnType<typeof parse>) => html.querySelectorAll("p[aria-hidden] span").map(({ text }) => text);

const widths = (one: ReturnType<typeof parse>) => one.querySelectorAll("rect").map((bar) => bar.getAttribute("width"));

const days = (count: number, arrived: number) =>
  Array.from({ length: count }, (_, nth) => ({
    day: `2026-11-${String(30 - count + 1 + nth).padStart(2, "0")}`,
    arrived: nth === 1 ? arrived : 0,
    decided: nth === 2 ? 2 : 0,
  }));

it("draws arrivals above decisions and lists the active days, newest first", () => {
  const html = drawn(<CaseFlow workload={{ days: days(14, 3), deadlines: none }} cases={fresh} />);
  expect(html.querySelector("input[type=range]")?.getAttribute("aria-label")).toBe(english.home.pictures.caseFlowChart);
  expect(html.text).toContain("3 arrivals");
  expect(html.text).toContain("2 decisions");
  expect(html.text).toContain("Last 14 days");
  expect(rowsOf(html)).toEqual([
    ["Day", "Arrivals", "Decisions"],
    ["19 Nov 2026", "0", "2"],
    ["18 Nov 2026", "3", "0"],
  ]);
});

it("gives the start date when days are missing, and draws no empty chart", () => {
  const partial = drawn(<CaseFlow workload={{ days: days(5, 3), deadlines: none }} cases={fresh} />);
  expect(partial.text).toContain("From 26 Nov 2026 on");
  const said = (known: ReturnType<typeof days>, cases: typeof never | typeof fresh) => {
    const html = drawn(<CaseFlow workload={{ days: known, deadlines: none }} cases={cases} />);
    expect(html.querySelector("svg")).toBeNull();
    return html.text;
  };
  expect(said([], fresh)).toContain(english.home.pictures.flowSoon);
  expect(said(days(2, 0), fresh)).toContain(english.home.pictures.noFlow);
  expect(said([], never)).toContain(english.states.unreadBody);
});

it("links each deadline to its queue and omits lists that were never read", () => {
  const workload = { days: [], deadlines: { ...none, late: 1, today: 4 } };
  const html = drawn(<Deadlines workload={workload} cases={fresh} />);
  expect(html.querySelectorAll("a").map((link) => [link.text, link.getAttribute("href")])).toEqual([
    ["Overdue", "/kyc?due=late"],
    ["Today", "/kyc?due=today"],
    ["Tomorrow", "/kyc?due=tomorrow"],
    ["Later", "/kyc?due=after-tomorrow"],
  ]);
  expect(widths(html)).toEqual(["25", "100", "0", "0"]);
  const unread = drawn(<Deadlines workload={{ days: [], deadlines: none }} cases={never} />);
  expect(unread.querySelectorAll("li").map(({ text }) => text.slice(-1))).toEqual(["—", "—", "—", "—"]);
});

it("shows onboardings with an unknown provider status apart, in its word", () => {
  const waiting = [
    { stage: "background-check", count: 0 },
    { stage: "biometrics", count: 2 },
  ] as const;
  const funnel = { days: 30, started: 5, waiting: [...waiting], confirmed: 1, refused: 1 };
  const others = [{ word: "EM_ANALISE", count: 1 }];
  const html = drawn(<OnboardingFunnel funnel={{ ...funnel, others }} onboardings={fresh} />);
  expect(html.querySelectorAll("li").map(({ text }) => text)).toEqual([
    "Started5",
    "Documents and biometrics2",
    "Account open1",
    "Refused1",
    "EM_ANALISE1",
  ]);
});

it("draws calls and deliveries over time, and says when there were none", () => {
  const now = "2026-11-22T15:00:53Z";
  const calls = drawn(<CallsPicture now={now} minutes={[{ from: "2026-11-22T14:51:00Z", calls: 3, failed: 1 }]} />);
  expect(rowsOf(calls).at(-1)).toEqual(["11:51", "2", "1"]);
  const hours = drawn(<DeliveriesPicture now={now} hours={[{ from: "2026-11-22T13:00:00Z", taken: 4, failed: 2 }]} />);
  expect(rowsOf(hours).at(-1)).toEqual(["10:00", "4", "2"]);
  expect(endsOf(hours)).toEqual(["21 Nov 12:00", "22 Nov 12:00"]);
  expect(endsOf(calls)).toEqual(["11:00", "12:00"]);
  const sound = drawn(<DeliveriesPicture now={now} hours={[{ from: "2026-11-22T13:00:00Z", taken: 4, failed: 0 }]} />);
  expect([sound.querySelector("svg"), sound.querySelector("p")?.text]).toEqual([
    null,
    "4 deliveries in the last 24 hours, none rejected or needing attention.",
  ]);
  expect(drawn(<CallsPicture now={now} minutes={[]} />).text).toContain(english.home.pictures.noCalls);
  expect(drawn(<DeliveriesPicture now={now} hours={[]} />).text).toContain(english.home.pictures.noDeliveries);
});

it("links an auditor from reveals and refused sign-ins to the counted rows", () => {
  const html = drawn(<OversightPicture oversight={{ days: [{ day: "2026-11-22", reveals: 2, refused: 1 }] }} />);
  expect(html.querySelectorAll("a").map((link) => link.getAttribute("href"))).toEqual([
    "/audit?code=personal-data.reveal&from=2026-11-22T00%3A00",
    "/audit?code=session.open&outcome=REFUSED&from=2026-11-22T00%3A00",
  ]);
  expect(rowsOf(html).at(-1)).toEqual(["22 Nov 2026", "2", "1"]);
});
