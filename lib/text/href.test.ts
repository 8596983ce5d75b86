import { expect, it } from "vitest";
import { hrefWith, screenAddress } from "./page";

it("gives the plain list a plain address", () => {
  expect(hrefWith("/kyc", { status: null, type: undefined, pix: false, text: "" })).toBe("/kyc");
});

it("keeps what was chosen, written so that it survives the trip", () => {
  expect(hrefWith("/kyc", { status: "PENDING", page: 2, text: "a&b" })).toBe("/kyc?status=PENDING&page=2&text=a%26b");
});

it.each([
  ["/", "/"],
  ["/kyc", "/kyc"],
  ["/accounts/0b1c/transfers", "/accounts"],
])("knows the screen of %s", (path, screen) => expect(screenAddress(path)).toBe(screen));
