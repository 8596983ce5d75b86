import { and, eq } from "drizzle-orm";
import { encode } from "uqr";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { env } from "@/lib/env";
import { publish } from "@/lib/live/publish";
import { LINK_USES, type LinkUse } from "@/lib/onboarding-view";
import { safeLink } from "@/lib/safe-link";
import { onboarding } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import { noteEvents } from "./events";
import { openLink } from "./links";

export const Taking = z.object({ id: z.uuid(), use: z.enum(LINK_USES) });

/** A link drawn as a QR code: `path` in a square of `size` by `size`. */
export type LinkDrawing = { size: number; path: string };

export type TakenLink = { href: string; host: string; drawing: LinkDrawing | null };

/** In modules, as the standard of QR codes wants: in the dark theme all around it is dark. */
const QUIET_ZONE = 4;
/** What is longer has squares too small to be read off a screen. */
const DRAWN_MAX_LENGTH = 600;

function draw(href: string): LinkDrawing | null {
  if (href.length > DRAWN_MAX_LENGTH) return null;
  const { size, data } = encode(href, { ecc: "M", border: QUIET_ZONE });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: dark.join("") };
}

const KIND_OF = { shown: "link-shown", copied: "link-copied" } as const satisfies Record<LinkUse, string>;

/**
 * The biometric link, to be passed on to its holder: who took it and how is on record before it is answered. Throws not-found,
 * conflict `link-gone` when there is none now and `link-unsafe` when it must not be passed on.
 */
export async function takeLink(
  actor: Actor<"onboarding:follow">,
  { id, use }: z.output<typeof Taking>,
): Promise<TakenLink> {
  const { tenant, id: staffId } = actor;
  return (await db()).transaction(async (tx) => {
    const [row] = await tx
      .select({ biometricUrl: onboarding.biometricUrl })
      .from(onboarding)
      .where(and(eq(onboarding.tenant, tenant), eq(onboarding.id, id)));
    if (row === undefined) throw new BankError("not-found");
    const link = safeLink(row.biometricUrl, env().isEmbedded);
    if (link === null) throw new BankError("conflict", { code: "link-gone" });
    if (link.href === null) throw new BankError("conflict", { code: "link-unsafe" });
    const detail = { link: await openLink(tx, { tenant, onboardingId: id }) };
    await noteEvents(tx, [{ tenant, onboardingId: id, kind: KIND_OF[use], actor: staffId, detail }]);
    await publish(tx, { tenant, topic: "onboarding", object: id });
    const what = { code: "onboarding.link", outcome: "DONE", object: `onboarding:${id}` } as const;
    await record(tx, { tenant, actor: staffId, ...what, detail: { use, ...detail } });
    return { href: link.href, host: link.host, drawing: use === "shown" ? draw(link.href) : null };
  });
}
