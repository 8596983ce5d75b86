import { describe, expect, it } from "vitest";
import { safeLink } from "./safe-link";

describe("a link from the provider", () => {
  it("is shown with its host when it is https", () => {
    expect(safeLink("https://bio.example.com/s/1?x=2")).toEqual({
      href: "https://bio.example.com/s/1?x=2",
      host: "bio.example.com",
    });
  });

  it("shows a host that only looks like another one in its true letters", () => {
    expect(safeLink("https://b\u0430nk.example/")?.host).toBe("xn--bnk-6cd.example");
    expect(safeLink("https://bank.example.evil.test:8443/")?.host).toBe("bank.example.evil.test:8443");
  });

  it.each([
    "http://bio.example.com",
    "//bio.example.com/s/1",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "javascript://bank.example/%0aalert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "blob:https://bank.example/1",
    "file:///etc/passwd",
    "https://bank.example@evil.example/",
    "https://user:password@bank.example/",
    "https:",
    "https://",
    "bio.example.com",
    "/s/1",
  ])("is told of, but not opened, when it is %j", (url) => {
    expect(safeLink(url)).toMatchObject({ href: null });
  });

  it("that is refused still says where it would have led", () => {
    expect(safeLink("http://bio.example.com/s/1")).toEqual({ href: null, host: "bio.example.com" });
  });

  it.each(["", null, undefined])("is none when it is %j", (url) => {
    expect(safeLink(url)).toBeNull();
  });
});
