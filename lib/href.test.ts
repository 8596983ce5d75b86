import { describe, expect, it } from "vitest";
import { hrefWith } from "./href";

describe("the address of a list", () => {
  it("is plain when nothing is filtered", () => {
    expect(hrefWith("/kyc", { status: undefined, type: null, pix: false, search: "" })).toBe("/kyc");
  });

  it("carries its filter in its query, whatever is in it", () => {
    expect(hrefWith("/kyc", { status: "open", page: 2, pix: true })).toBe("/kyc?status=open&page=2&pix=true");
    expect(hrefWith("/kyc", { search: "a&b=c#d" })).toBe("/kyc?search=a%26b%3Dc%23d");
  });
});
