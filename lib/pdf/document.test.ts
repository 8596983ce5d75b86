import { expect, it } from "vitest";
import { textsOf } from "@/test/support/pdf";
import { Paper } from "./document";

const backwards = (text: string) => Array.from(text).toReversed().join("");

async function printed(text: string): Promise<string> {
  const printedAt = new Date("2026-03-10T12:00:00Z");
  const paper = await Paper.open({ title: "Papel", language: "pt-BR", printedAt, footer: () => "fim" });
  paper.paragraph(text);
  return textsOf(await paper.end())[0] ?? "";
}

it.each(["שלום עולם טוב", "محمد عبد الله", "שלום (א) עולם"])(
  "prints %s from right to left with its spaces",
  async (name) => {
    const lines = await printed(name);
    expect(lines.split(" ").map((word) => word.length)).toEqual(
      backwards(name)
        .split(" ")
        .map((word) => word.length),
    );
  },
);

it("keeps a space on both sides of words from right to left among others", async () => {
  expect(await printed("Pagador שלום עולם R$ 10,00")).toMatch(/^Pagador +םלוע םולש R\$ 10,00$/);
});

it("keeps the spaces of what goes over lines", async () => {
  const text = Array.from({ length: 60 }, () => "שלום").join(" ");
  const words = (await printed(text)).split(/ +/).filter(Boolean);
  expect(new Set(words)).toEqual(new Set(["םולש"]));
});
