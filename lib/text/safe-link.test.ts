import { describe, expect, it } from "vitest";
import { hostOrName, safeLink } from "./safe-link";

describe("a link from the provider", () => {
  it("shows an https link's host", () => {
    expect(safeLink("https://bio.example.com/s/1?x=2", false)).toEqual({
      href: "https://bio.example.com/s/1?x=2",
      host: "bio.example.com",
    });
  });

  it("shows a look-alike host in its true letters", () => {
    expect(safeLink("https://b\u0430nk.example/", false)?.host).toBe("xn--bnk-6cd.example");
    expect(safeLink("https://bank.example.evil.test:8443/", false)?.host).toBe("bank.example.evil.test:8443");
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
    "https:\\\\evil.example",
    "https://bank.example\\@evil.example/",
    "ht\ttps://bio.example.com/",
    " https://bio.example.com/",
    "https://bio.example.com/a b",
    "https://bio.example.com/\u202egpj.exe",
    "https://b\u200bio.example.com/",
    "https://bio.example.com/\u0000",
    "https://@bio.example.com@evil.example/",
  ])("shows a link that cannot be opened when it is %j", (url) => {
    expect(safeLink(url, false)).toMatchObject({ href: null });
  });

  it("says where a refused link leads", () => {
    expect(safeLink("http://bio.example.com/s/1", false)).toEqual({ href: null, host: "bio.example.com" });
  });

  it.each(["", null, undefined])("shows no link for %j", (url) => {
    expect(safeLink(url, false)).toBeNull();
  });

  it("names a link to this machine by what it is, any other by its host", () => {
    expect(hostOrName("127.0.0.1:4412", "Biometric link")).toBe("Biometric link");
    expect(hostOrName("bio.example.com:8443", "Biometric link")).toBe("bio.example.com:8443");
    expect(hostOrName("127.0.0.1.evil.example", "Biometric link")).toBe("127.0.0.1.evil.example");
  });

  it("opens http links to this machine only with the embedded provider", () => {
    expect(safeLink("http://127.0.0.1:4010/biometrics/1", true)).toMatchObject({
      href: "http://127.0.0.1:4010/biometrics/1",
    });
    expect(safeLink("http://127.0.0.1:4010/biometrics/1", false)).toMatchObject({ href: null });
    expect(safeLink("http://127.0.0.1.evil.example/", true)).toMatchObject({ href: null });
    expect(safeLink("http://localhost@evil.example/", true)).toMatchObject({ href: null });
    expect(safeLink("javascript:alert(1)", true)).toMatchObject({ href: null });
  });
});
