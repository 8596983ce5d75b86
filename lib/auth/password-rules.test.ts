import { describe, expect, it } from "vitest";
import { faultOf, passwordOf } from "./password";

const ana = { name: "Ana Conceição Prado", email: "ana.prado@aurora.example" };

describe("a new password", () => {
  it.each([
    "correct horse battery",
    "uma frase que só eu sei",
    "x7#kQ2!mZp0w",
    "パスワードは十二文字以上で",
    "banana split on sunday",
    "8841-2290-7756-dog",
    "🦜🦜 papagaio em Paraty",
  ])("accepts any long phrase that is hard to guess: %j", (password) => {
    expect(faultOf(password, ana)).toBeNull();
  });

  it("counts a password's characters as people do, in any encoding", () => {
    expect(faultOf("é".repeat(11).normalize("NFD"), ana)).toBe("password-short");
    expect(faultOf("🦜".repeat(11), ana)).toBe("password-short");
    expect(faultOf(`${"ação é não ".repeat(8)}1234567`.normalize("NFD"), ana)).toBeNull();
    expect(faultOf("🦜 e 🦩 ".repeat(20), ana)).toBe("password-long");
  });

  it.each([
    ["short", "password-short"],
    [`${"a long one, x".repeat(9)}1234567890ab`, "password-long"],
    ["password12345", "password-common"],
    ["Password1234!", "password-common"],
    ["123456789012", "password-common"],
    ["987654321098", "password-common"],
    ["aaaaaaaaaaaaa", "password-common"],
    ["abc1abc1abc1abc1", "password-common"],
    ["flamengoflamengo", "password-common"],
    ["!!flamengo2026", "password-common"],
    ["senha123456789", "password-common"],
    ["Bemvindo@2026", "password-common"],
    ["qwertyuiop1234", "password-common"],
    ["retaguarda-demo", "password-personal"],
    ["Retaguarda2026!", "password-personal"],
    ["AnaPrado2026!!", "password-personal"],
    ["conceicao.prado", "password-personal"],
    ["ana.prado@aurora.example", "password-personal"],
    ["nul\u0000 in the middle", "characters"],
    ["half a pair \uD83E alone", "characters"],
  ] as const)("refuses the password %j: %s", (password, fault) => {
    expect(faultOf(password, ana)).toBe(fault);
  });

  it("gives a refused password a code that screens translate", () => {
    const [issue] = passwordOf(ana).safeParse("password12345").error?.issues ?? [];
    expect(issue).toMatchObject({ params: { code: "password-common" } });
    expect(passwordOf(ana).safeParse("x".repeat(100_000)).success).toBe(false);
  });
});
