import { describe, expect, it } from "vitest";
import { safeLink } from "./safe-link";

describe("a link from the provider", () => {
  it("is shown with its host when it is https", () => {
    expect(safeLink("https://bio.example.com/s/1?x=2")).toEqual({
      href: "https://bio.example.com/s/1?x=2",
      host: "bio.example.com",
    });
  });

  it.each([
    "http://bio.example.com",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://bank.example@evil.example/",
    "bio.example.com",
    "",
    null,
    undefined,
  ])("is not shown when it is %s", (url) => {
    expect(safeLink(url)).toBeNull();
  });
});
