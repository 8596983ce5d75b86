import { getLocale } from "next-intl/server";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import { readCsv } from "@/lib/text/csv";
import { sessionOf } from "@/test/support/auth";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { rowsOf } from "@/test/support/pdf";
import { decoded, SpeltDocument } from "@/test/support/spelt-documents";
import { openAccount } from "@/test/support/transfers";
import { lookUp } from "./look-up";
import { exportStatement, getStatementView } from "./queries";

const period = { from: "2026-03-01", to: "2026-03-31" };

type Spelt = { document: string; spelling: string };

const FIELDS = ["description", "type", "status", "direction"] as const;

const entryOf = ({ spelling }: Spelt, nth: number) => ({
  transactionId: `t${nth}`,
  type: "PIX",
  amount: 10,
  date: "2026-03-09T12:00:00Z",
  description: "Venda",
  direction: "CREDIT",
  [FIELDS[nth % FIELDS.length] ?? "description"]: `Aluguel de ${spelling} ok`,
});

let told: readonly Spelt[] = [];
let ref = "";

beforeEach(async () => {
  vi.mocked(getLocale).mockResolvedValue("pt-BR");
  givenEnv();
  const store = await givenStore();
  const service = await givenService(
    () => {},
    (serve) => (request) =>
      told.length > 0 && new URL(request.url).pathname.endsWith("/history")
        ? Response.json({ status: 200, data: { transactions: told.map(entryOf), page: 1, totalPages: 1 } })
        : serve(request),
  );
  const held = await openAccount(service, 1000);
  const staffId = await givenStaff(store, "support");
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, tenant: "aurora", roles: ["support"] }));
  const found = await lookUp(actorOf("support", staffId, "accounts:read"), { query: held.onBoardingId });
  ref = "accountRef" in found ? found.accountRef : "";
});

async function bytesOf(format: "csv" | "ofx" | "pdf"): Promise<{ fileName: string; bytes: Buffer }> {
  const { fileName, parts } = await exportStatement(ref, period, format);
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(typeof part === "string" ? Buffer.from(part) : part);
  return { fileName, bytes: Buffer.concat(all) };
}

const inClear = (texts: readonly string[]): Spelt[] => {
  const read = texts.map(decoded).join(" ");
  return told.filter(({ document }) => read.includes(document));
};

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

async function forMany(count: number, see: () => Promise<void>): Promise<void> {
  const Many = fc.array(SpeltDocument, { minLength: count, maxLength: count });
  const property = fc.asyncProperty(Many, async (spelt) => {
    told = spelt;
    await see();
  });
  await fc.assert(property, { numRuns: 1, endOnFailure: true });
}

describe("a document in what a provider tells of an entry, however it is spelt", () => {
  it("hides a document in every text of a screen, CSV, OFX and file names", { timeout: 60_000 }, async () => {
    await forMany(250, async () => {
      expect(inClear(textsIn(await getStatementView(ref, period)))).toEqual([]);
      const csv = await bytesOf("csv");
      expect(inClear(readCsv(csv.bytes.toString("utf8")).rows.flatMap(({ cells }) => cells))).toEqual([]);
      const ofx = await bytesOf("ofx");
      expect(inClear(ofx.bytes.toString("latin1").split("\r\n"))).toEqual([]);
      expect(inClear([csv.fileName, ofx.fileName])).toEqual([]);
    });
  });

  it("hides a document on every line of a PDF", { timeout: 60_000 }, async () => {
    await forMany(60, async () => {
      const { bytes, fileName } = await bytesOf("pdf");
      expect(inClear([...rowsOf(bytes), fileName])).toEqual([]);
    });
  });
});
