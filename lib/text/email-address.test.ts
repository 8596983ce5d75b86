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
])("reads the address %j as %j", (typed, email) => expect(readEmail(typed)).toEqual({ email }));

it.each(["", "clara", "@aurora.example", "a@b", "a b@aurora.example", "a..b@aurora.example", "ana@aurora.example/x"])(
  "refuses %j as an address",
  (typed) => expect(readEmail(typed)).toEqual({ fault: "email" }),
);

it.each(["ana@xn--a.example", "ana@127.0.0.1", "ana@a_b.example", "ana@exa%6dple.com", "ana@aurora.example:25"])(
  "refuses an address with an invalid host: %j",
  (typed) => expect(readEmail(typed)).toEqual({ fault: "email" }),
);

it.each(["аna@aurora.example", "ana@аurora.example", "αna@aurora.example"])(
  "refuses mixed alphabets in one word: %j",
  (typed) => expect(readEmail(typed)).toEqual({ fault: "email-mixed" }),
);

it.each(["ana@PADARÍA.example", "ana@xn--padara-7va.example", "Ana@padari\u0301a.example"])(
  "compares the domain in punycode: %j",
  (typed) => expect(emailSpellings(typed)).toEqual(["ana@padaría.example", "ana@xn--padara-7va.example"]),
);

it("compares an invalid address as typed, in lower case", () => {
  expect(emailSpellings(" Clara ")).toEqual(["clara"]);
});
