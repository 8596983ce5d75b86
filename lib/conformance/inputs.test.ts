import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completeCpf } from "@/lib/contract/document";
import { READS } from "@/lib/contract/reads";
import { fillPath, urlOf } from "@/lib/provider/address";
import { ExplorerRequest } from "./inputs";
import { EXPLORABLE, parametersOf } from "./parameters";

const CPF = completeCpf("529982247");

const codesOf = (input: unknown) =>
  Object.fromEntries(
    ExplorerRequest.safeParse(input).error?.issues.map(({ path, message, ...issue }) => [
      path.join("."),
      "params" in issue ? issue.params?.["code"] : message,
    ]) ?? [],
  );

/** Fragments that have misled addresses, headers and shells. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "/",
        "..",
        ".",
        "?",
        "#",
        "&",
        "=",
        "%2e%2e",
        "%2F",
        "\\",
        "\r\nPOST / HTTP/1.1",
        "@",
        "//evil.example",
        ";",
        "'",
        "$(id)",
        "\0",
        "\u202e",
        "{address}",
        "__proto__",
        CPF,
      ),
      fc.string({ unit: "binary", maxLength: 8 }),
      fc.constantFrom("ETHEREUM", "2026-01-01", "true", "1", "acc-1"),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));

const usual: Readonly<Record<string, string>> = {
  documentNumber: CPF,
  initialDate: "2026-01-01",
  endDate: "2026-01-31",
  network: "ETHEREUM",
  accountId: "acc-1",
  address: "0xabc",
};

const request = fc.record({
  read: fc.oneof(fc.constantFrom(...EXPLORABLE), hostile),
  values: fc
    .tuple(
      fc.subarray(Object.keys(usual)),
      fc.dictionary(
        fc.oneof(
          fc.constantFrom(...EXPLORABLE.flatMap((name) => parametersOf(READS[name]).map((one) => one.name))),
          hostile,
        ),
        hostile,
      ),
    )
    .map(([kept, typed]) => ({ ...typed, ...Object.fromEntries(kept.map((name) => [name, usual[name] ?? ""])) })),
  method: hostile,
  path: hostile,
  body: hostile,
});

describe("a request of the explorer", () => {
  it("is a documented GET, whatever is typed", () => {
    let accepted = 0;
    fc.assert(
      fc.property(request, (asked) => {
        const { data } = ExplorerRequest.safeParse(asked);
        if (data === undefined) return;
        accepted += 1;
        const { read, params, query } = data;
        const { path } = READS[read];
        const url = urlOf("https://bank.example", fillPath(path, params), query);
        expect(url.origin).toBe("https://bank.example");
        const segments = path.split("/");
        const sent = url.pathname.split("/");
        expect(sent).toHaveLength(segments.length);
        for (const [at, segment] of segments.entries()) {
          const name = /^\{(\w+)\}$/.exec(segment)?.[1];
          expect(decodeURIComponent(sent[at] ?? "")).toBe(name === undefined ? segment : params[name]);
        }
        const known = parametersOf(READS[read]).map((one) => one.name);
        expect([...url.searchParams.keys()].filter((name) => !known.includes(name))).toEqual([]);
        expect(url.hash).toBe("");
        expect(Object.keys(data).toSorted()).toEqual(["params", "query", "read"]);
      }),
      { numRuns: 2_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it("knows no write and nothing outside of the list", () => {
    for (const read of ["decideKyc", "createWallet", "getPixKey", "__proto__", "constructor", "GET /v1/kyc/list"])
      expect(ExplorerRequest.safeParse({ read, values: {} }).success).toBe(false);
  });

  it("names what is missing or wrong by its field", () => {
    expect(codesOf({ read: "getBalance", values: { documentNumber: "123" } })).toEqual({
      "values.accountId": "required",
      "values.documentNumber": "document",
    });
    expect(codesOf({ read: "getHistory", values: { ...usual, endDate: "2025-12-31" } })).toEqual({
      "values.endDate": "period",
    });
    expect(codesOf({ read: "getWalletBalance", values: { network: "ETHEREUM", address: ".." } })).toEqual({
      "values.address": "invalid",
    });
    expect(codesOf({ read: "getWalletBalance", values: { network: "ETHEREUM", address: CPF } })).toEqual({
      "values.address": "invalid",
    });
  });

  it("takes documents as people write them, and sends no default", () => {
    const typed = `${CPF.slice(0, 3)}.${CPF.slice(3, 6)}.${CPF.slice(6, 9)}-${CPF.slice(9)}`;
    expect(ExplorerRequest.parse({ read: "checkOnboarding", values: { onBoardingId: ` ${typed}` } })).toEqual({
      read: "checkOnboarding",
      params: {},
      query: { onBoardingId: CPF },
    });
    expect(ExplorerRequest.parse({ read: "listWallets", values: { limit: "" } }).query).toEqual({});
  });
});
