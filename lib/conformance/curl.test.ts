import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { completeCpf } from "@/lib/contract/document";
import { fillPath } from "@/lib/provider/address";
import { curlOf } from "./curl";

const CPF = completeCpf("529982247");

it("has variables in place of token, client id and documents", () => {
  const curl = curlOf("https://bank.example", "/v1/bank-accounts/balance", { accountId: "a-1", documentNumber: CPF });
  expect(curl).not.toContain(CPF);
  expect(curl.split(" \\\n  ")).toEqual([
    "curl -sS -G 'https://bank.example/v1/bank-accounts/balance'",
    '-H "Authorization: Bearer $ACCESS_TOKEN"',
    '-H "x-client-id: $CLIENT_ID"',
    "--data-urlencode 'accountId=a-1'",
    '--data-urlencode "documentNumber=$DOCUMENT"',
  ]);
});

it("gives a shell what was typed, and nothing to carry out", () => {
  const typed = fc.string({ unit: fc.constantFrom("'", '"', "$", "(", ")", "`", "\\", ";", " ", "\n", "a", "é", "!") });
  fc.assert(
    fc.property(typed, (value) => {
      const path = fillPath("/v1/crypto/wallets/{address}/balance", { address: value });
      const curl = curlOf("https://bank.example", path, { tokenAddress: value });
      const script = `curl() { printf '%s\\0' "$@"; }\n${curl}`;
      const words = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" }).split("\0");
      expect(words).toContain(`tokenAddress=${value}`);
      expect(words).toHaveLength(10);
    }),
    { numRuns: 30 },
  );
});
