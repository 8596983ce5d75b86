import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { DayChart } from "./day-chart";

it("says whose decisions the chart counts, even when there are none", () => {
  const markup = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <DayChart days={[{ day: "2026-11-27", approved: 0, reproved: 0 }]} />
    </NextIntlClientProvider>,
  );
  expect(markup).toContain("Team decisions per day");
  expect(markup).toContain("Only what the team decided here in the last 1 days; cases decided elsewhere don’t count.");
  expect(markup).toContain("The team made no decisions here");
});
