import { encode } from "uqr";

/** In modules; `path` draws the dark ones. */
export type QrDrawing = { size: number; path: string };

/** In modules, as QR codes require; the dark theme around it is dark. */
const QUIET_ZONE = 4;

export function drawQr(text: string): QrDrawing {
  const { size, data } = encode(text, { ecc: "M", border: QUIET_ZONE });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: dark.join("") };
}
