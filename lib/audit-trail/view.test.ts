import { expect, it } from "vitest";
import { readDetail, recordOf } from "./view";

it("calls a value before and after a change, and any other a fact", () => {
  expect(readDetail({ before: "support", after: "finance", sessionsEnded: 1 })).toEqual({
    changes: [{ name: null, before: "support", after: "finance" }],
    facts: [["sessionsEnded", "1"]],
  });
  expect(readDetail({ fromRule: "above", toRule: "never", fromAmount: "5000.00", toAmount: null, version: 2 })).toEqual(
    {
      changes: [
        { name: "rule", before: "above", after: "never" },
        { name: "amount", before: "5000.00", after: null },
      ],
      facts: [["version", "2"]],
    },
  );
});

it("calls an unchanged value no change, and a decision's starting state a fact", () => {
  expect(readDetail({ fromHours: 24, toHours: 24, from: "PENDING", decision: "APPROVED" })).toEqual({
    changes: [],
    facts: [
      ["from", "PENDING"],
      ["decision", "APPROVED"],
    ],
  });
});

it("omits a value that was not given", () => {
  expect(readDetail({ code: null, status: 200 }).facts).toEqual([["status", "200"]]);
});

it("links to the record of an act when it has a screen", () => {
  expect(recordOf("kyc:a/b")).toEqual({ kind: "kyc", id: "a/b", href: "/kyc/a%2Fb" });
  expect(recordOf("staff:7")).toEqual({ kind: "staff", id: "7", href: "/audit?search=staff%3A7" });
  expect(recordOf("approval-policy:kyc.decision")).toEqual({
    kind: "approval-policy",
    id: "kyc.decision",
    href: "/settings/approvals",
  });
  expect(recordOf("transfer:9")).toEqual({ kind: null, id: "transfer:9", href: null });
});
