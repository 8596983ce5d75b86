import { expect, it } from "vitest";
import { SecurityContact, securityTxt } from "./security-contact";

it("accepts a mail address or a page as a URI", () => {
  expect(SecurityContact.parse("mailto:seguranca@aurora.example")).toBe("mailto:seguranca@aurora.example");
  expect(SecurityContact.parse("https://aurora.example/seguranca")).toBe("https://aurora.example/seguranca");
});

it.each([
  "seguranca@aurora.example",
  "http://aurora.example",
  "javascript:alert(1)",
  "mailto:a@b.example\nPolicy: https://evil.example",
])("refuses the contact %j", (text) => {
  expect(SecurityContact.safeParse(text).error?.issues[0]?.message).toBe("must be a mailto: or https: address");
});

it("gives security.txt its contact, its URL and its expiry", () => {
  const setting = { publicUrl: new URL("https://desk.aurora.example"), now: new Date("2026-11-22T12:00:00Z") };
  expect(securityTxt("mailto:seguranca@aurora.example", setting)).toBe(
    [
      "Contact: mailto:seguranca@aurora.example",
      "Expires: 2027-02-20T12:00:00.000Z",
      "Canonical: https://desk.aurora.example/.well-known/security.txt",
      "",
    ].join("\n"),
  );
});
