import { expect, it } from "vitest";
import { drawQr } from "./qr";

it("draws a text with a quiet zone of four modules", () => {
  const { size, path } = drawQr("0x9858EfFD232B4033E47d90003D41EC34EcaEda94");
  const drawn = [...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].flatMap(([, x, y]) => [Number(x), Number(y)]);
  expect([Math.min(...drawn), Math.max(...drawn)]).toEqual([4, size - 5]);
});
