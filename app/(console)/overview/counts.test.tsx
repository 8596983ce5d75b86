import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import english from "@/messages/en.json";
import { Counts } from "./counts";

const fresh = { asOf: "2026-11-22T13:00:00Z", isStale: false, failure: null };
const exactly = (cases: number) => ({ cases, isExact: true });

/** The overview of five cases to decide, so many under review, and so many open in all. */
function shown(underReview: number, open: number): string {
  const decided = { APPROVED: exactly(0), REPROVED: exactly(0) };
  const counts = { PENDING: exactly(5), PROCESSING: exactly(underReview), open: exactly(open), ...decided };
  const nobody = { holder: 0, provider: 0, nobody: 0, us: 0 };
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <Counts
        kyc={{ ...fresh, readSoFar: null, counts: { ...counts, all: exactly(open) } }}
        onboarding={{ ...fresh, counts: { open: 0, CONFIRMED: 0, ERROR: 0, all: 0 }, acts: nobody }}
      />
    </NextIntlClientProvider>,
  );
}

it("a case in a word of the provider's own is counted as such, and none is said to be absent from review", () => {
  expect(shown(0, 5)).toContain("No case under review");
  expect(shown(2, 7)).toContain("2 cases under review at the provider<");
  expect(shown(2, 8)).toContain("2 cases under review at the provider · 1 case in a status that only");
  expect(shown(0, 7)).toContain("2 cases in statuses that only the provider knows");
  expect(shown(0, 7)).not.toContain("No case under review");
});
