import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import type { TimelineEntry } from "@/lib/kyc/queries";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { sentenceOf } from "./timeline-section";

const said = (changes: Partial<TimelineEntry>): string[] => {
  const entry: TimelineEntry = {
    key: "e1",
    at: "2026-07-01T12:00:00.000Z",
    kind: "decided",
    byName: "Rafael Tavares",
    isMine: false,
    otherName: null,
    detail: { decision: "REPROVED" },
    ...changes,
  };
  return [
    sentenceOf(createTranslator({ locale: "pt-BR", messages: portuguese }), entry),
    sentenceOf(createTranslator({ locale: "en", messages: english }), entry),
  ];
};

describe("a decision on the timeline", () => {
  it("names the author's action, whoever reads it", () => {
    expect(said({})).toEqual([
      "Rafael Tavares reprovou, e o provedor confirmou",
      "Rafael Tavares rejected it, and the provider confirmed",
    ]);
    expect(said({ kind: "decision-unknown" })).toEqual([
      "Rafael Tavares reprovou, e o provedor não confirmou",
      "Rafael Tavares rejected it, and the provider didn’t confirm",
    ]);
    expect(said({ kind: "decision-refused", detail: { decision: "APPROVED" } })).toEqual([
      "Rafael Tavares aprovou, mas a decisão não foi efetivada",
      "Rafael Tavares approved it, but the decision did not take effect",
    ]);
  });
});
