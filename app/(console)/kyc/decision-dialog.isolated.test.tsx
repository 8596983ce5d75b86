import { NextIntlClientProvider } from "next-intl";
import { parse } from "node-html-parser";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import type { KycRow } from "@/lib/kyc/queries";
import english from "@/messages/en.json";
import { DecisionDialog } from "./decision-dialog";
import { emptyDraft, type Step } from "./use-deciding";

let step: Step = "ready";

vi.mock("@/components/form/form-dialog", () => ({
  FormDialog: ({ slow }: { slow?: string }) => <form data-slow={slow} />,
}));
vi.mock("./use-deciding", async (actual) => ({
  ...(await actual<object>()),
  useDeciding: () => ({ step, terms: undefined, opened: null, draft: emptyDraft(null), failure: null, pending: true }),
}));

const row: KycRow = {
  kycUUID: "4f1c1f8e-0000-4000-8000-000000000001",
  vatNumber: "***.456.789-**",
  isPerhaps: false,
  kycType: "PF",
  process: "kyc-documentscopy",
  status: "PROCESSING",
  firstSeenAt: "2026-11-30T12:00:00Z",
  changedAt: "2026-11-30T12:00:00Z",
  assignee: null,
  assignedAt: null,
  waitingSince: null,
  dueAt: null,
  decidedAt: null,
  tags: [],
  unconfirmed: null,
  pendingApproval: null,
  needsSecond: false,
  exposure: "unknown",
  reopened: null,
  putOff: null,
  escalation: null,
  contradiction: null,
};

const slowIn = (of: Step) => {
  step = of;
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <DecisionDialog subject={row} onClose={() => undefined} onDone={() => undefined} />
    </NextIntlClientProvider>,
  );
  return parse(html).querySelector("form")?.getAttribute("data-slow");
};

it("says of a decision that waits for the provider that none is confirmed", () => {
  expect(slowIn("ready")).toBe("undecided");
});

it("says nothing of the provider while a case is taken over", () => {
  expect(slowIn("held")).toBeUndefined();
});
