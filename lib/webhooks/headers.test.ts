import { beforeEach, describe, expect, it } from "vitest";
import { givenEnv } from "@/test/support/console";
import { keptHeaders, refusedRequest, signatureForm } from "./headers";

beforeEach(() => givenEnv());

const headersOf = (given: Record<string, string>) => (name: string) => new Headers(given).get(name);
const keptOf = (signature: string) => keptHeaders(headersOf({ "x-webhook-signature": signature }));
const fingerprintOf = (body: string) => refusedRequest(headersOf({}), Buffer.from(body)).fingerprint;
const RIGHT = "3f9a1c2b".repeat(8);

describe("what is kept of a delivery's headers", () => {
  it("keeps a header on the list and drops any other", () => {
    const given = {
      "content-type": "application/json",
      authorization: "Bearer abcdefgh.ijkl",
      cookie: "session=1",
      "x-api-key": "k-1",
      "x-forwarded-for": "203.0.113.9",
      "x-webhook-event": "crypto-cash-in",
    };
    const kept = { "content-type": "application/json", "x-webhook-event": "crypto-cash-in" };
    expect(keptHeaders(headersOf(given))).toEqual(kept);
  });

  it("keeps of a signature its beginning, and nothing of what is none", () => {
    expect(keptOf(RIGHT)).toEqual({ "x-webhook-signature": "3f9a1c2b…" });
    for (const other of ["the secret itself", `sha256=${RIGHT}`, RIGHT.slice(1)]) expect(keptOf(other)).toEqual({});
  });

  it("masks a document and hides a secret in a header's value", () => {
    const given = { "x-request-id": "of 529.982.247-25", "user-agent": "Bearer abcdefghijkl" };
    expect(keptHeaders(headersOf(given))).toEqual({ "x-request-id": "of ***.982.247-**", "user-agent": "•••" });
  });

  it("replaces a long value by its hash", () => {
    const { "user-agent": kept } = keptHeaders(headersOf({ "user-agent": "x".repeat(5_000) }));
    expect(kept).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

it.each([
  ["absent", ""],
  ["absent", "  "],
  ["well-formed", RIGHT],
  ["capitals", RIGHT.toUpperCase()],
  ["prefixed", `sha256=${RIGHT}`],
  ["prefixed", `v1=${RIGHT}`],
  ["several", `${RIGHT},${RIGHT}`],
  ["length", RIGHT.slice(0, 32)],
  ["length", `${RIGHT}0`],
  ["not-hex", "z".repeat(64)],
  ["not-hex", Buffer.from(RIGHT, "hex").toString("base64")],
])("says that a signature is %s when it reads %j", (form, given) => {
  expect(signatureForm(given)).toBe(form);
});

it("gives equal bodies one fingerprint, which is no plain hash", () => {
  expect(fingerprintOf("{}")).toBe(fingerprintOf("{}"));
  expect(fingerprintOf("{}")).not.toBe(fingerprintOf("{ }"));
  expect(fingerprintOf("{}")).toMatch(/^[0-9a-f]{16}$/);
  expect("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a").not.toContain(fingerprintOf("{}"));
  expect(refusedRequest(headersOf({}), null)).toMatchObject({ fingerprint: null, sizeBytes: null, form: null });
});
