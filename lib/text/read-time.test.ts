import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDate, formatDateTime } from "./format";
import { instantOf, isoOf, readInstant } from "./read-time";
import { civilDay, dayOfIso } from "./time";

const two = (number: number) => String(Math.abs(number)).padStart(2, "0");

describe("a time as others write ISO 8601", () => {
  it.each([
    "2026-03-10T23:30:00-03",
    "2026-03-10T23:30:00-0300",
    "2026-03-10t23:30:00-03:00",
    "2026-03-10 23:30:00 -03:00",
    "2026-03-10T23:30:00,000-03:00",
    "20260310T233000-0300",
    "20260310T2330-03",
    "20260310233000",
    "2026-03-11T02:30:00z",
    "20260311T023000Z",
    "2026-03-11T02:30:00 UTC",
    "2026-03-10T23:30:00\u221203:00",
    "2026-03-10T23:30:00-03:00[America/Sao_Paulo]",
    "2026-03-10T23:30[America/Sao_Paulo]",
    "2026-03-10T23:30:00-03:00[!America/Sao_Paulo][u-ca=gregory]",
    "2026-03-11T02:30:00Z[UTC]",
    "20260310233000[-3:BRT]",
    "2026-03-10T23.5-03:00",
    "2026-03-10T23:30,0-03:00",
    "2026-W11-2T23:30:00-03:00",
    "2026W112T233000-03",
    "2026-069T23:30-03:00",
    "2026069T2330-03",
    "\u200e2026-03-10T23:30:00-03:00\u202f",
    "２０２６-０３-１０T２３:３０:００-０３:００",
  ])("reads a time: %s", (text) => {
    expect(instantOf(text)).toEqual(new Date("2026-03-11T02:30:00Z"));
    expect(dayOfIso(isoOf(text))).toBe("2026-03-10");
  });

  it.each([
    ["2026-03-10T24:00:00-03:00", "2026-03-11T03:00:00.000Z"],
    ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
    ["2018-12-10T12:00:00", "2018-12-10T14:00:00.000Z"],
    ["2026-03-10T12:00[Europe/Lisbon]", "2026-03-10T12:00:00.000Z"],
    ["2026-07-10T12:00[Europe/Lisbon]", "2026-07-10T11:00:00.000Z"],
    ["2026-03-10T12:00:00.123456789Z", "2026-03-10T12:00:00.123Z"],
  ])("reads the time %s as %s", (text, iso) => expect(instantOf(text)?.toISOString()).toBe(iso));

  it.each([
    "2026-03-10",
    "20260310",
    "2026-W11-2",
    "2026W112",
    "2026-069",
    "2026069",
    "2026-03-10Z",
    "2026-03-10-03:00",
  ])("reads a day without a time: %s", (text) => {
    expect(isoOf(text)).toBe("2026-03-10");
    expect(instantOf(text)).toBeNull();
    expect(readInstant(text)).toEqual(new Date("2026-03-10T03:00:00Z"));
  });

  it.each([
    "2026-02-30",
    "20260230",
    "2026-02-30T12:00:00Z",
    "2026-02-30T12:00:00",
    "2025-02-29T00:00:00-03:00",
    "2026-04-31T10:00:00",
    "2026-13-01",
    "2026-00-10",
    "2026-366",
    "2026-000",
    "2026-W54-1",
    "2026-W00-1",
    "2026-03-10T25:00:00Z",
    "2026-03-10T24:00:01Z",
    "2026-03-10T12:60:00Z",
    "2026-03-10T12:00:00+24:00",
    "2026-03-10T12:00[Nowhere/At_All]",
    "2026-03-10T",
    "2026-03-10x",
    "2026-03",
    "9999-12-31T23:59",
    "10/03/2026",
    "ontem",
    "",
  ])("leaves an invalid time as written: %s", (text) => {
    expect([instantOf(text), readInstant(text)]).toEqual([null, null]);
    expect(dayOfIso(isoOf(text))).toBe(text);
  });

  it("finds no start for 0001-01-01, which stands for no date", () => {
    expect(readInstant("0001-01-01")).toBeNull();
  });

  it("reads a time in every form of the grammar", () => {
    const written = fc.record({
      ms: fc.integer({ min: Date.UTC(1990, 0, 2), max: Date.UTC(2039, 11, 30) }).map((ms) => ms - (ms % 1_000)),
      hours: fc.integer({ min: -12, max: 14 }),
      minutes: fc.constantFrom(0, 30, 45),
      isBasic: fc.boolean(),
      sep: fc.constantFrom("T", "t", " "),
      fraction: fc.constantFrom("", ".5", ",5", ".500000000"),
      minus: fc.constantFrom("-", "\u2212"),
      bracket: fc.constantFrom("", "[America/Sao_Paulo]", "[u-ca=iso8601]"),
    });
    fc.assert(
      fc.property(written, ({ ms, hours, minutes, isBasic, sep, fraction, minus, bracket }) => {
        const ahead = (hours * 60 + Math.sign(hours || 1) * minutes) * 60_000;
        const local = new Date(ms + ahead).toISOString();
        const [date = "", clock = ""] = local.slice(0, 19).split("T");
        const bare = (text: string) => (isBasic ? text.replaceAll(/[:-]/g, "") : text);
        const offset = `${hours < 0 ? minus : "+"}${two(hours)}${minutes === 0 ? "" : bare(`:${two(minutes)}`)}`;
        const text = `${bare(date)}${sep}${bare(clock)}${fraction}${offset}${bracket}`;
        const expected = new Date(ms + (fraction === "" ? 0 : 500));
        expect([instantOf(text), readInstant(text)]).toEqual([expected, expected]);
        expect(dayOfIso(isoOf(text))).toBe(civilDay(expected));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a time that a provider wrote", () => {
  it.each([
    ["2025-10-18", "18/10/2025", "18/10/2025"],
    ["2025-10-18T14:03:00", "18/10/2025", "18/10/2025 14:03"],
    ["2018-12-18T14:03:00", "18/12/2018", "18/12/2018 14:03"],
    ["9999-12-31T23:59:59-03:00", "31/12/9999", "31/12/9999 23:59"],
    ["2025-10-18 23:30", "18/10/2025", "18/10/2025 23:30"],
    ["2025-10-18T02:03:00Z", "17/10/2025", "17/10/2025 23:03"],
    ["2025-10-18T14:03:00-0300", "18/10/2025", "18/10/2025 14:03"],
    ["10/11/2025", "10/11/2025", "10/11/2025"],
    ["2025-13-45", "2025-13-45", "2025-13-45"],
    ["2025-02-30", "2025-02-30", "2025-02-30"],
    ["2025-02-30T14:03:00Z", "2025-02-30T14:03:00Z", "2025-02-30T14:03:00Z"],
    ["ontem", "ontem", "ontem"],
    ["", "", ""],
  ])("shows the time %j as %s and as %s", (text, day, time) => {
    expect([formatDate(isoOf(text), "pt-BR"), formatDateTime(isoOf(text), "pt-BR")]).toEqual([day, time]);
  });
});
