import { expect, it } from "vitest";
import { stillTyped } from "./left-fields";

it("drops answers about a changed value or a field still in focus", () => {
  const asked = new Map([
    ["to", "0x1"],
    ["amount", "ten"],
  ]);
  const typed: Readonly<Record<string, string>> = { to: "0x1", amount: "5000", token: "" };
  const wrong = { to: "not an address", amount: "not an amount", token: "required" };
  expect(stillTyped(wrong, asked, (name) => typed[name] ?? "")).toEqual({ to: "not an address" });
});
