import { randomBytes } from "node:crypto";
import { expect, test } from "@playwright/test";
import { finder } from "./support/canary-search";
import { offences } from "./support/canary-rules";
import { inventCpf } from "./support/invent";

const secret = { kind: "secret", value: `canary/+&=${randomBytes(16).toString("hex")}`, shown: 0 } as const;
const document = { kind: "document", value: inventCpf().digits, shown: 1 } as const;
const all = [secret, document];

const WAYS: Readonly<Record<string, (canary: string) => string>> = {
  "as it is": (canary) => canary,
  "in an address": encodeURIComponent,
  "in hex": (canary) => Buffer.from(canary).toString("hex"),
  "in base64": (canary) => Buffer.from(canary).toString("base64"),
  "in base64 after one byte": (canary) => Buffer.from(`x${canary}`).toString("base64"),
  "in base64 of credentials": (canary) => Buffer.from(`aurora-1:${canary}:`).toString("base64"),
  "in base64url": (canary) => Buffer.from(`?>${canary}?>`).toString("base64url"),
  "in JSON": (canary) => JSON.stringify({ canary }),
  "in markup": (canary) => canary.replaceAll("&", "&amp;"),
};

for (const [way, write] of Object.entries(WAYS)) {
  test(`the search finds a canary ${way}, wherever it stands`, { tag: "@long" }, () => {
    const find = finder(all);
    for (const canary of all) {
      for (const before of ["", "a", "some more text "]) {
        const text = Buffer.from(`${before}${write(canary.value)} and so on`);
        expect([...find(text)].map((found) => found.canary)).toContain(canary);
      }
    }
  });
}

test("the search finds nothing in clean text or within a longer number", { tag: "@long" }, () => {
  const text = Buffer.from(`${inventCpf().digits} 1${document.value} ${document.value}2 ${"x".repeat(100)}`);
  expect([...finder(all)(text)]).toEqual([]);
});

test("a canary may appear only where permitted, and only as often as it was shown", { tag: "@long" }, () => {
  const shown = "answer to POST /accounts/7";
  expect(offences(document, [shown, "service database: public.onboarding"])).toEqual([]);
  expect(offences(document, [shown, shown])).toEqual([shown]);
  expect(offences({ ...document, shown: 0 }, [shown])).toEqual([shown]);
  expect(offences(document, ["log", "console database: public.account"])).toHaveLength(2);
  expect(offences(secret, ["service database: public.onboarding"])).toHaveLength(1);
});
