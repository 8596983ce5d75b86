import { beforeEach, describe, expect, it } from "vitest";
import { givenEnv } from "@/test/support/console";
import { entrancePath, returnPath } from "./entry";

beforeEach(() => {
  givenEnv({ publicUrl: new URL("https://desk.example") });
});

describe("the address somebody comes back to after signing in", () => {
  it.each([
    ["/kyc?view=mine&status=PENDING", "/kyc?view=mine&status=PENDING"],
    ["https://desk.example/kyc/k-1?from=%2Fkyc", "/kyc/k-1?from=%2Fkyc"],
    ["/kyc?status=PENDING&_rsc=1x2y3", "/kyc?status=PENDING"],
    ["/kyc?_rsc=1x2y3", "/kyc"],
    ["/sign-in?next=%2Faudit%3Fact%3Dkyc.decide", "/audit?act=kyc.decide"],
    ["/kyc?next=https://evil.example", "/kyc?next=https://evil.example"],
  ])("accepts a screen's path and query: %s", (asked, path) => {
    expect(returnPath(asked)).toBe(path);
  });

  it.each([
    "https://evil.example/kyc",
    "http://desk.example/kyc",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "/kyc/..//evil.example",
    "https://desk.example@evil.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "/api/auth/signout",
    "/enrol",
    "/sign-in",
    "/sign-in?next=//evil.example",
    `/kyc?q=${"x".repeat(2_000)}`,
    ["/kyc", "/audit"],
    undefined,
    null,
  ])("refuses to return to %s", (asked) => {
    expect(returnPath(asked)).toBeNull();
  });

  it("puts the return path into the sign-in URL unless it is the overview", () => {
    expect(entrancePath("/sign-in", "/kyc?status=PENDING")).toBe("/sign-in?next=%2Fkyc%3Fstatus%3DPENDING");
    expect(entrancePath("/sign-in", "/kyc", "sso-taken")).toBe("/sign-in?error=sso-taken&next=%2Fkyc");
    expect(entrancePath("/sign-in", "/")).toBe("/sign-in");
    expect(entrancePath("/enrol", null)).toBe("/enrol");
  });
});
