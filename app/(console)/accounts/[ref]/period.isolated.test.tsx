import { createTranslator, NextIntlClientProvider } from "next-intl";
import { Suspense } from "react";
import { prerenderToNodeStream } from "react-dom/static";
import { expect, it, vi } from "vitest";
import { text } from "node:stream/consumers";
import type { Totals } from "@/lib/accounts/queries";
import { StatementFilter } from "@/lib/accounts/inputs";
import english from "@/messages/en.json";
import { oddityOf } from "./statement-rows";
import { StatementExport, StatementFilters } from "./period";

vi.mock("next/navigation", () => ({ useRouter: () => ({}), useSearchParams: () => new URLSearchParams() }));
vi.mock("@/app/(console)/permission-denied", () => ({ deniedReason: async () => null }));
vi.mock("next-intl/server", () => ({
  getLocale: async () => "en",
  getTranslations: async (namespace?: never) =>
    createTranslator({ locale: "en", messages: english, ...(namespace !== undefined && { namespace }) }),
}));

const totals: Omit<Totals, "statuses"> = {
  sums: null,
  gap: null,
  days: {},
  count: 2,
  left: 0,
  unwritable: 0,
  isClear: true,
};

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

it("names known statuses and shows an unknown one as the provider wrote it", async () => {
  const html = await shown({ status: "EM_ANALISE" }, ["CONFIRMED", "EM_ANALISE"]);
  expect(html).toContain('<option value="CONFIRMED">Confirmed</option>');
  expect(html).toContain('<option value="EM_ANALISE" selected="">EM_ANALISE</option>');
  expect(html).toContain('<option value="FEE">Fee</option>');
});

it("shows an error in the search field when the filter would refuse the text", async () => {
  const [, pattern = ""] = /pattern="([^"]+)"/.exec(await shown({})) ?? [];
  const field = new RegExp(`^(?:${pattern})$`, "v");
  const all = ["Aluguel", "pedido 123456", "982.2", "529.982.247-25", "982247", "982 247", "CPF 982.247", "***.982"];
  const taken = all.filter((search) => StatementFilter.parse({ search }).search !== undefined);
  expect(all.filter((typed) => field.test(typed))).toEqual(taken);
  expect(taken).toEqual(["Aluguel", "pedido 123456", "982.2"]);
});

async function files(given: Partial<Totals>): Promise<string> {
  const filter = StatementFilter.parse({});
  const { prelude } = await prerenderToNodeStream(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <StatementExport
        accountRef="1"
        filter={filter}
        totals={Promise.resolve({ ...totals, statuses: [], ...given })}
        scope={{ id: "s", permissions: [] }}
      />
    </NextIntlClientProvider>,
  );
  return text(prelude);
}

it("offers an incomplete statement as a partial file or not at all", async () => {
  expect(await files({})).toContain("Export OFX<");
  expect(await files({ unwritable: 2 })).toContain("Export OFX without 2 entries");
  const doubted = await files({ gap: "doubt" });
  expect(doubted).toContain("We don’t know whether the statement is complete");
  expect(doubted.match(/aria-disabled="true"/g)).toHaveLength(2);
});

it.each([
  ["2026-03-10", null],
  ["2026-02-28", "outside"],
  ["2026-04-01", "outside"],
  ["30 de fevereiro", "undated"],
  ["2026-02-30", "undated"],
])("describes the day %s as %s", (day, oddity) => {
  expect(oddityOf(day, { from: "2026-03-01", to: "2026-03-31" })).toBe(oddity);
});
