import { expect, it } from "vitest";
import { hrefWith, screenAddress } from "./page";

it("gives the plain list a plain URL", () => {
  expect(hrefWith("/kyc", { status: null, type: undefined, pix: false, text: "" })).toBe("/kyc");
});

it("encodes the chosen filters so that they round-trip", () => {
  expect(hrefWith("/kyc", { status: "PENDING", page: 2, text: "a&b" })).toBe("/kyc?status=PENDING&page=2&text=a%26b");
});

it.each([
  ["/", "/"],
  ["/kyc", "/kyc"],
  ["/accounts/0b1c/transfers", "/accounts"],
])("finds the screen of %s", (path, screen) => expect(screenAddress(path)).toBe(screen));
