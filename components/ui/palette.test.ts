import { describe, expect, it } from "vitest";
import { PALETTE } from "@/tailwind.config";

const TEXT_AA = 4.5;
const CONTROL_AA = 3;

function channel(hex: string, at: number): number {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function luminance(hex: string): number {
  return 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5);
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

type Colour = keyof typeof PALETTE;
const grounds: Colour[] = ["canvas", "surface", "raised", "hover"];
const words: Colour[] = ["ink", "muted", "faint", "accent", "positive", "negative", "warning", "info", "neutral"];
const pairs: [Colour, Colour][] = [
  ...words.flatMap((word): [Colour, Colour][] => grounds.map((ground) => [word, ground])),
  ["positive", "positive-tint"],
  ["negative", "negative-tint"],
  ["warning", "warning-tint"],
  ["info", "info-tint"],
  ["neutral", "neutral-tint"],
  ["accent", "accent-tint"],
  ["ink", "accent-tint"],
  ["ink", "warning-tint"],
  ["ink", "negative-tint"],
  ["panel-ink", "panel"],
  ["panel-ink", "panel-raised"],
  ["panel-muted", "panel"],
  ["accent-ink", "accent"],
  ["accent-ink", "accent-strong"],
  ["negative-ink", "negative"],
  ["negative-ink", "negative-strong"],
];

describe("the palette", () => {
  for (const [theme, index] of [
    ["light", 0],
    ["dark", 1],
  ] as const) {
    it.each(pairs)(`${theme}: %s is readable on %s`, (word, ground) => {
      expect(contrast(PALETTE[word][index], PALETTE[ground][index])).toBeGreaterThanOrEqual(TEXT_AA);
    });

    it.each(grounds)(`${theme}: a control's edge is visible on %s`, (ground) => {
      expect(contrast(PALETTE.control[index], PALETTE[ground][index])).toBeGreaterThanOrEqual(CONTROL_AA);
    });
  }
});
