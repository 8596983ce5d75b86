import { describe, expect, it } from "vitest";
import { isAbbreviated, typingCnpj, typingCpf, typingPhone, typingPostalCode } from "./typed";

describe("what is being typed", () => {
  it.each([
    [typingCpf, "5299", "529.9"],
    [typingCpf, "529.982.247-25", "529.982.247-25"],
    [typingCpf, "529982247251", "529.982.247-251"],
    [typingCnpj, "12abc3", "12.ABC.3"],
    [typingCnpj, "11222333000181", "11.222.333/0001-81"],
    [typingPostalCode, "013101", "01310-1"],
    [typingPhone, "11", "11"],
    [typingPhone, "113000", "(11) 3000"],
    [typingPhone, "1130000000", "(11) 3000-0000"],
    [typingPhone, "11999990000", "(11) 99999-0000"],
    [typingPhone, "+5511999990000", "+55 (11) 99999-0000"],
    [typingPhone, "+351 912 345 678", "+351 912 345 678"],
  ])("%o shows %s as %s while it is typed", (mask, typed, shown) => {
    expect(mask(typed)).toBe(shown);
  });
});

it.each(["J. Silva", "Maria A. Souza", "Maria A.Souza", "Maria S.", "É. Lima", "J.R. Prado"])(
  "%s is an abbreviated name",
  (name) => expect(isAbbreviated(name)).toBe(true),
);

it.each(["Maria D'Ávila", "José e Lima", "Ana de O", "Zé Jr.", "Pedro Filho.", "Ng Ó", ""])(
  "%s is no abbreviated name",
  (name) => expect(isAbbreviated(name)).toBe(false),
);
