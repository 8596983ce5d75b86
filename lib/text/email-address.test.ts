import { expect, it } from "vitest";
import { emailSpellings, readEmail } from "./email-address";

it.each([
  [" clara@Aurora.example ", "clara@aurora.example"],
  ["Clara.Reis@aurora.example", "Clara.Reis@aurora.example"],
  ["JOÃO@aurora.example", "joão@aurora.example"],
  ["joa\u0303o@aurora.example", "joão@aurora.example"],
  ["ana@PADARÍA.example", "ana@padaría.example"],
  ["ana@padari\u0301a.example", "ana@padaría.example"],
  ["ana@xn--padara-7va.example", "ana@padaría.example"],
  ["Ana Prado <ana@aurora.example>", "ana@aurora.example"],
  ["mailto:ana@aurora.example", "ana@aurora.example"],
  ["анна@почта.example", "анна@почта.example"],
  ["花子@例え.jp", "花子@例え.jp"],
])("reads %j as %j", (typed, email) => expect(readEmail(typed)).toEqual({ email }));

it.each(["", "clara", "@aurora.example", "a@b", "a b@aurora.example", "a..b@aurora.example", "ana@aurora.example/x"])(
  "reads no address in %j",
  (typed) => expect(readEmail(typed)).toEqual({ fault: "email" }),
);

it.each(["ana@xn--a.example", "ana@127.0.0.1", "ana@a_b.example", "ana@exa%6dple.com", "ana@aurora.example:25"])(
  "reads no address of a host that is none: %j",
  (typed) => expect(readEmail(typed)).toEqual({ fault: "email" }),
);

it.each(["аna@aurora.example", "ana@аurora.example", "αna@aurora.example"])(
  "refuses letters of two alphabets in one word: %j",
  (typed) => expect(readEmail(typed)).toEqual({ fault: "email-mixed" }),
);

it.each(["ana@PADARÍA.example", "ana@xn--padara-7va.example", "Ana@padari\u0301a.example"])(
  "compares the domain by its punycode: %j",
  (typed) => expect(emailSpellings(typed)).toEqual(["ana@padaría.example", "ana@xn--padara-7va.example"]),
);

it("compares what is no address as it was typed, small", () => {
  expect(emailSpellings(" Clara ")).toEqual(["clara"]);
});
