import { drawQr, type QrDrawing } from "./qr";
import type { SafeLink } from "./safe-link";

export const LINK_USES = ["shown", "copied"] as const;
export type LinkUse = (typeof LINK_USES)[number];

/** `taken`: given to the browser to be copied; `copied` once its clipboard has it. */
export const LINK_STEPS = [...LINK_USES, "taken"] as const;
export type LinkStep = (typeof LINK_STEPS)[number];

/** The events that tell of it. */
export const LINK_KINDS = { shown: "link-shown", copied: "link-copied" } as const satisfies Record<LinkUse, string>;

/** `drawing` null: it was copied, or is too long for a QR code. */
export type TakenLink = { href: string; host: string; drawing: QrDrawing | null };

/** Longer links give modules too small to scan off a screen. */
const DRAWN_MAX_LENGTH = 600;

const draw = (href: string): QrDrawing | null => (href.length > DRAWN_MAX_LENGTH ? null : drawQr(href));

/** What is handed over of a holder's link, or why it is not. */
export function handLink(link: SafeLink | null, step: LinkStep): TakenLink | "link-gone" | "link-unsafe" {
  if (link === null) return "link-gone";
  const { href, host } = link;
  return href === null ? "link-unsafe" : { href, host, drawing: step === "shown" ? draw(href) : null };
}
