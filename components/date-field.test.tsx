import { NextIntlClientProvider } from "next-intl";
import { SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { DateFilter } from "./form/date-field";
import { Unfolded } from "./table/filter-bar";
import { FilterDates } from "./table/filter-dates";
import { FilterPeriod } from "./table/filter-period";
import { FilterPresets } from "./table/filter-presets";

const shownAt = (address: string, fields: ReactNode) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <SearchParamsContext value={new URLSearchParams(address)}>{fields}</SearchParamsContext>
    </NextIntlClientProvider>,
  );

const shown = (address: string, value?: string) =>
  shownAt(address, <DateFilter name="from" label="From" value={value} />);

it("says that an invalid date in the URL is not applied", () => {
  const said = "was ignored";
  expect(shown("from=yesterday")).toContain(said);
  expect(shown("from=2026-02-31", "2026-10-24")).toContain(said);
  expect(shown("from=2026-11-12", "2026-11-12")).not.toContain(said);
  expect(shown("", "2026-11-12")).not.toContain(said);
});

it("says that a day to come in the URL is not applied, whatever stands instead", () => {
  const last = "2026-11-12";
  const said = english.common.aheadDate;
  const field = (value?: string) => <DateFilter name="day" label="Day" value={value} last={last} />;
  expect(shownAt("day=2026-11-13", field(last))).toContain(said);
  expect(shownAt("day=2026-11-13", field())).toContain(said);
  expect(shownAt("day=2026-11-12", field(last))).not.toContain(said);
  expect(shownAt("", field(last))).not.toContain(said);
});

const period = (from: string, to: string) =>
  shownAt(
    `from=${from}&to=${to}`,
    <FilterPresets isByDay period={undefined} from={from} to={to}>
      <FilterDates isByDay from={from} to={to} />
    </FilterPresets>,
  );

it("refuses a period that ends before it begins, beside its end", () => {
  const said = english.common.reversedDates;
  expect(period("2026-11-20", "2026-11-01").split(said)[0]).toContain("01/11/2026");
  expect(period("2026-11-20", "2026-11-01")).toContain(said);
  expect(period("2026-11-20", "2026-11-20")).not.toContain(said);
});

it("offers São Paulo's calendar beside the dates, and says when dates were typed", () => {
  const { presets, any, typed } = english.common.period;
  const chosen = shownAt("period=month", <FilterPeriod isByDay period="month" from={undefined} to={undefined} />);
  expect(chosen).toContain(`<option value="month" selected="">${presets.month}`);
  expect(chosen).toContain(any);
  expect(period("2026-11-20", "2026-11-20")).toContain(`<option value="" selected="">${typed}`);
});

it("offers plain dates until the filters are unfolded", () => {
  const folded = shownAt(
    "",
    <Unfolded value={false}>
      <FilterPeriod isByDay period={undefined} from={undefined} to={undefined} />
    </Unfolded>,
  );
  expect(folded).toContain('<input aria-label="From"');
  expect(folded).toContain('<input aria-label="To"');
});
