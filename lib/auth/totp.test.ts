import { generateSync } from "otplib";
import { describe, expect, it } from "vitest";
import { enrolmentOf, newSecret, stepOfCode } from "./factor";

const at = new Date("2026-11-21T12:00:10Z");
const step = Math.floor(at.getTime() / 30_000);
const secret = newSecret();
const codeAt = (steps: number) => generateSync({ secret, epoch: at.getTime() / 1000 + 30 * steps });
const stepOf = (typed: string, afterStep = 0) => stepOfCode(secret, typed, { at, afterStep });

describe("a code of the authenticator app", () => {
  it("accepts a code one step early and one step late, and no further", () => {
    expect([-2, -1, 0, 1, 2].map((steps) => stepOf(codeAt(steps)))).toEqual([null, step - 1, step, step + 1, null]);
  });

  it("accepts a code with the space that apps show in the middle", () => {
    const code = codeAt(0);
    expect(stepOf(` ${code.slice(0, 3)} ${code.slice(3)} `)).toBe(step);
  });

  it("uses up an app's code and all earlier ones", () => {
    expect(stepOf(codeAt(0), step)).toBeNull();
    expect(stepOf(codeAt(-1), step)).toBeNull();
    expect(stepOf(codeAt(1), step)).toBe(step + 1);
  });

  it.each(["", "12345", "1234567", "abcdef", "１２３４５６", "12-34-56"])("refuses the code %j", (typed) => {
    expect(stepOf(typed)).toBeNull();
  });

  it("computes the code of RFC 6238's example", () => {
    const key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
    expect(stepOfCode(key, "287082", { at: new Date(59_000), afterStep: 0 })).toBe(1);
    expect(stepOfCode(key, "081804", { at: new Date(1_111_111_109_000), afterStep: 0 })).toBe(37_037_036);
  });
});

describe("what an enrolment shows", () => {
  it("shows 160 random bits and a square QR code", () => {
    const shown = enrolmentOf(newSecret(), "ana@aurora.example");
    expect(shown.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(shown.secret).not.toBe(newSecret());
    expect(shown.path).toMatch(/^(M\d+ \d+h1v1h-1z)+$/);
    expect(shown.size).toBeGreaterThan(20);
  });
});
