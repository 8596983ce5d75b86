import { describe, expect, test } from "vitest";
import { sign, verify } from "./sender";

describe("a signature", () => {
  // RFC 4231, test case 2.
  test("signs a body with lower-case hex HMAC-SHA256, without a prefix", () => {
    const signature = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    expect(sign("Jefe", "what do ya want for nothing?")).toBe(signature);
    expect(verify("Jefe", "what do ya want for nothing?", signature)).toBe(true);
  });

  test("signs the body's bytes, in any language", () => {
    expect(verify("segredo", '{"nome":"João"}', sign("segredo", '{"nome":"João"}'))).toBe(true);
  });

  const good = sign("secret", "{}");
  test.each([
    ["of another body", sign("secret", "{ }")],
    ["by another secret", sign("Secret", "{}")],
    ["with one digit changed", good.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"))],
    ["with a prefix", `sha256=${good}`],
    ["in capitals", good.toUpperCase()],
    ["cut short", good.slice(0, -2)],
    ["that is empty", ""],
    ["that is no hex", "z".repeat(64)],
  ])("%s does not verify", (_, signature) => expect(verify("secret", "{}", signature)).toBe(false));
});
