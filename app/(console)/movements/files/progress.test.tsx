import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { MovementExportRow } from "@/lib/movements/view";
import english from "@/messages/en.json";
import { Progress } from "./progress";

const file: MovementExportRow = {
  id: "1",
  format: "csv",
  from: "2026-07-01",
  to: "2026-07-31",
  state: "READY",
  byName: "Clara",
  createdAt: "2026-08-01T12:00:00.000Z",
  finishedAt: null,
  expiresAt: null,
  accounts: 20,
  read: 8,
  wallets: 0,
  walletsRead: 0,
  notWhole: { accounts: 0, wallets: 0 },
  unread: [],
  plannedCalls: 20,
  plannedMinutes: 1,
  totals: null,
  sha256: null,
  sizeBytes: null,
};

const progressOf = (told: Partial<MovementExportRow>) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <Progress file={{ ...file, ...told }} />
    </NextIntlClientProvider>,
  );

const shown = (count: number) => progressOf({ unread: Array.from({ length: count }, (_, nth) => `0001 / ${nth}`) });

it.each([
  [{ accounts: 46, wallets: 30 }, "in 46 accounts and 30 wallet histories, named"],
  [{ accounts: 1, wallets: 0 }, "in 1 account, named"],
  [{ accounts: 0, wallets: 1 }, "in 1 wallet history, named"],
])("counts accounts and wallet histories apart where entries may be missing: %o", (notWhole, text) => {
  expect(progressOf({ notWhole })).toContain(text);
});

it("names one unread source and folds several", () => {
  expect(shown(1)).toContain("Not read: 0001 / 0<");
  expect(shown(1)).not.toContain("<details");
  const [open = "", folded = ""] = shown(7).split("</summary>");
  expect(open).toContain("7 not read");
  expect(open).not.toContain("0001 /");
  expect(folded.match(/0001 /g)).toHaveLength(7);
});

it("says that more than ten sources were not read when it cannot name all", () => {
  expect(shown(11)).toContain("More than 10 not read");
  expect(shown(11)).not.toContain("0001 / 10");
});

it("counts no wallet histories as read in an OFX file, which holds accounts only", () => {
  expect(progressOf({ format: "ofx", wallets: 28, walletsRead: 4 })).toContain("28 wallet histories are not in it");
  expect(progressOf({ wallets: 28, walletsRead: 4 })).toContain("4 of 28 wallet histories");
});
