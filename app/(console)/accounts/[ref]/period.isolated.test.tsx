import { createTranslator, NextIntlClientProvider } from "next-intl";
import { Suspense } from "react";
import { prerenderToNodeStream } from "react-dom/static";
import { expect, it, vi } from "vitest";
import { text } from "node:stream/consumers";
import { StatementFilter } from "@/lib/accounts/rules";
import english from "@/messages/en.json";
import { StatementFilters } from "./period";

vi.mock("next/navigation", () => ({ useRouter: () => ({}), useSearchParams: () => new URLSearchParams() }));
vi.mock("next-intl/server", () => ({
  getLocale: async () => "en",
  getTranslations: async (namespace?: never) =>
    createTranslator({ locale: "en", messages: english, ...(namespace !== undefined && { namespace }) }),
}));

const totals = { sums: null, gap: null, days: {}, count: 2, left: 0, isClear: true };

async function shown(asked: Record<string, string>, statuses: string[] = []): Promise<string> {
  const read = Promise.resolve({ ...totals, statuses });
  const { prelude } = await prerenderToNodeStream(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <Suspense>
        <StatementFilters path="/accounts/1" filter={StatementFilter.parse(asked)} totals={read} />
      </Suspense>
    </NextIntlClientProvider>,
  );
  return text(prelude);
}

it("names the statuses that are known, leaves any other as the provider wrote it, and asks for the provider's word", async () => {
  const html = await shown({ status: "EM_ANALISE" }, ["CONFIRMED", "EM_ANALISE"]);
  expect(html).toContain('<option value="CONFIRMED">Confirmed</option>');
  expect(html).toContain('<option value="EM_ANALISE" selected="">EM_ANALISE</option>');
  expect(html).toContain('<option value="FEE">Fee</option>');
});
