import { expect, it } from "vitest";
import { fitsMask } from "@/lib/db/started-case";

it.each([
  ["52998224725", "***.982.247-**", true],
  ["52998224725", "529.***.***-25", true],
  ["52998224725", "529.xxx.xxx-25", true],
  ["52998224725", "***.983.247-**", false],
  ["11222333000181", "**.222.333/0001-**", true],
  ["12ABC34501DE35", "**.ABC.345/01DE-**", true],
  ["12ABC34501DE35", "**.ABD.345/01DE-**", false],
  ["52998224725", "**.222.333/0001-**", false],
  ["52998224725", "***.***.***-**", false],
])("decides whether %s fits the mask %s: %s", (document, masked, fits) => {
  expect(fitsMask(document, masked)).toBe(fits);
});
