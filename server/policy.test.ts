import { CspEvaluator } from "csp_evaluator/dist/evaluator.js";
import { Severity } from "csp_evaluator/dist/finding.js";
import { CspParser } from "csp_evaluator/dist/parser.js";
import { describe, expect, it } from "vitest";
import { FILE_POLICY, makeNonce, pagePolicy, ROUTE_POLICY } from "./guard.mjs";

const setting = (address: string, isDevelopment = false) => ({ publicUrl: new URL(address), isDevelopment });

/** The evaluator's findings that weaken the policy, without its hints for old browsers. */
const weaknesses = (policy: string) =>
  new CspEvaluator(new CspParser(policy).csp)
    .evaluate()
    .filter(({ severity }) => severity <= Severity.MEDIUM || severity === Severity.MEDIUM_MAYBE)
    .map(({ directive, description }) => `${directive}: ${description}`);

describe("the policy of a page", () => {
  const policies = ["http://localhost:3000", "https://desk.example"].map((address) =>
    pagePolicy(makeNonce(), setting(address)),
  );

  it("finds no weakness in the policy of a page or a file", () => {
    expect([...policies, FILE_POLICY, ROUTE_POLICY].flatMap(weaknesses)).toEqual([]);
    expect(weaknesses("script-src 'self' 'unsafe-inline' https:")).not.toEqual([]);
  });

  it("allows nothing inline without the nonce, and no eval", () => {
    for (const policy of policies) expect(policy).not.toMatch(/'unsafe-(inline|eval|hashes)'|wasm-unsafe/);
  });

  it("names no origin but the console's own", () => {
    for (const policy of policies) expect(policy).not.toMatch(/https?:|\*|blob:|ws:/);
  });

  it("relaxes the policy for hot reload only in development", () => {
    const development = pagePolicy("x", setting("http://localhost:3000", true));
    expect(development).toContain("'unsafe-eval'");
    expect(development).toContain("connect-src 'self' ws:");
  });
});
