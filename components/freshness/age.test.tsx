import { renderToStaticMarkup } from "react-dom/server";
import { NextIntlClientProvider } from "next-intl";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import english from "@/messages/en.json";
import { Age } from "./age";
import { ageOf } from "./age-of";
import { followTime } from "./use-now";

const NOW = "2026-11-21T12:00:00.000Z";
const NOW_MS = Date.parse(NOW);

describe("the age of a record", () => {
  it.each([
    ["2026-11-21T11:59:30.000Z", { unit: "now", value: 0 }],
    ["2026-11-21T11:59:00.000Z", { unit: "minutes", value: 1 }],
    ["2026-11-21T11:00:01.000Z", { unit: "minutes", value: 59 }],
    ["2026-11-21T11:00:00.000Z", { unit: "hours", value: 1 }],
    ["2026-11-20T12:00:01.000Z", { unit: "hours", value: 23 }],
    ["2026-11-20T12:00:00.000Z", { unit: "days", value: 1 }],
  ])("shows an age of %s as %o", (since, age) => {
    expect(ageOf(since, NOW_MS)).toEqual(age);
  });

  it("tells seconds where somebody decides by it", () => {
    expect(ageOf("2026-11-21T11:59:20.000Z", NOW_MS, true)).toEqual({ unit: "seconds", value: 40 });
    expect(ageOf("2026-11-21T11:59:59.500Z", NOW_MS, true)).toEqual({ unit: "now", value: 0 });
    expect(ageOf("2026-11-21T11:59:00.000Z", NOW_MS, true)).toEqual({ unit: "minutes", value: 1 });
  });

  it("never shows a negative age when clocks disagree", () => {
    expect(ageOf("2026-11-21T12:05:00.000Z", NOW_MS)).toEqual({ unit: "now", value: 0 });
  });

  it("shows a record with an unreadable date without failing", () => {
    expect(ageOf("yesterday", NOW_MS)).toEqual({ unit: "now", value: 0 });
  });
});

/** The parts of a document that the component uses. */
class Page extends EventTarget {
  visibilityState = "visible";
}

describe("an age on a page that stays open", () => {
  let page: Page;
  let end: (() => void) | undefined;

  beforeEach(() => {
    vi.useFakeTimers();
    page = new Page();
    vi.stubGlobal("document", page);
  });

  afterEach(() => {
    end?.();
    vi.useRealTimers();
  });

  const seen = (readSecondsBefore: number) => {
    const since = new Date(NOW_MS - readSecondsBefore * 1_000).toISOString();
    let shown = ageOf(since, NOW_MS);
    end = followTime((ms) => {
      shown = ageOf(since, NOW_MS + ms);
    });
    return () => shown;
  };

  it("advances an age without a new read", () => {
    const shown = seen(10);
    expect(shown()).toEqual({ unit: "now", value: 0 });
    vi.advanceTimersByTime(60_000);
    expect(shown()).toEqual({ unit: "minutes", value: 1 });
    vi.advanceTimersByTime(60 * 60_000);
    expect(shown()).toEqual({ unit: "hours", value: 1 });
  });

  it("corrects an age at once after the window sleeps", () => {
    const shown = seen(0);
    vi.setSystemTime(Date.now() + 2 * 60 * 60_000);
    page.dispatchEvent(new Event("visibilitychange"));
    expect(shown()).toEqual({ unit: "hours", value: 2 });
  });

  it("starts the age at the time when the rows were read", () => {
    const html = renderToStaticMarkup(
      <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
        <Age since="2026-11-21T11:57:00.000Z" now={NOW} />
      </NextIntlClientProvider>,
    );
    expect(html).toContain(english.age.minutes.replace("{value}", "3"));
  });
});
