import { and, asc, desc, eq, gt, inArray } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import { Required } from "@/lib/contract/shared";
import { db, type Db } from "@/lib/db/connection";
import type { CaseEventKind } from "@/lib/db/enums/kyc";
import { publish } from "@/lib/db/publish";
import { kycCase, kycEvent } from "@/lib/db/tables/kyc";
import { staff } from "@/lib/db/tables/staff";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { env } from "@/lib/settings/env";
import { sha256 } from "@/lib/text/decode";
import { handLink, LINK_KINDS, LINK_STEPS, type LinkUse, type TakenLink } from "@/lib/text/handed-link";
import { safeLink } from "@/lib/text/safe-link";
import { noteCaseEvents } from "./events";
import { type CaseKey, whereCase } from "./holder";

/** `link`: the key of one of the case's pages. */
export const HandingOver = z.object({ kycUUID: Required, link: Required.max(16), use: z.enum(LINK_STEPS) });
export type HandingOver = z.output<typeof HandingOver>;

/** Names a page without telling its address. */
export const webviewKey = (url: string): string => sha256(url).slice(0, 16);

/** Audited before it is returned; a part of the case once it was shown or copied. Throws not-found, conflict `webview-gone` and `link-unsafe`. */
export async function handOverLink(
  { tenant, id: by }: Actor<"onboarding:follow">,
  { kycUUID, link, use }: HandingOver,
): Promise<TakenLink> {
  return (await db()).transaction(async (tx) => {
    const named = { webviews: kycCase.webviews };
    const [row] = await tx.select(named).from(kycCase).where(whereCase({ tenant, kycUUID }));
    if (row === undefined) throw new AppError("not-found", { code: "kyc-case" });
    const page = row.webviews.find(({ url }) => webviewKey(url) === link);
    const taken = handLink(safeLink(page?.url, env().isEmbedded), use);
    if (taken === "link-gone") throw new AppError("conflict", { code: "webview-gone" });
    if (taken === "link-unsafe") throw new AppError("conflict", { code: "link-unsafe" });
    if (use !== "taken") {
      await noteCaseEvents(tx, [{ tenant, kycUUID, kind: LINK_KINDS[use], actor: by, detail: { link } }]);
      await publish(tx, { tenant, topic: "kyc", object: kycUUID });
    }
    const what = { code: "kyc.link", outcome: "DONE", object: `kyc:${kycUUID}` } as const;
    await record(tx, { tenant, actor: by, ...what, detail: { use, link } });
    return taken;
  });
}

export type LinkHistory = {
  /** Newest first. */
  uses: { use: LinkUse; byName: string; isMine: boolean; at: string }[];
  /** The first thing that the provider told after the last use; null while it told nothing. */
  newsAt: string | null;
};

const USE_OF: Partial<Record<CaseEventKind, LinkUse>> = { "link-shown": "shown", "link-copied": "copied" };
const NEWS = ["moved", "record-seen", "contradicted", "agreed"] as const satisfies CaseEventKind[];

const MAX_USES = 200;

/** By the key of the page. Whether the holder opened it nobody tells: what is known is what the provider told since. */
export async function readLinkHistory(
  store: Db,
  { tenant, kycUUID }: CaseKey,
  readerId: string,
): Promise<(key: string) => LinkHistory> {
  const { at, kind, detail, actor, id } = kycEvent;
  const ofCase = and(eq(kycEvent.tenant, tenant), eq(kycEvent.kycUUID, kycUUID));
  const newestFirst = await store
    .select({ at, kind, detail, actor, byName: staff.name })
    .from(kycEvent)
    .innerJoin(staff, eq(staff.id, actor))
    .where(and(ofCase, inArray(kind, Object.values(LINK_KINDS))))
    .orderBy(desc(id))
    .limit(MAX_USES);
  const first = newestFirst.at(-1);
  const told =
    first === undefined
      ? []
      : await store
          .select({ at })
          .from(kycEvent)
          .where(and(ofCase, inArray(kind, [...NEWS]), gt(at, first.at)))
          .orderBy(asc(at));
  return (key) => {
    const own = newestFirst.filter((event) => event.detail["link"] === key);
    const [last] = own;
    const news = last && told.find((one) => one.at > last.at);
    return {
      uses: own.flatMap(({ kind: said, actor: by, byName, at: usedAt }) => {
        const use = USE_OF[said];
        return use === undefined ? [] : [{ use, byName, isMine: by === readerId, at: usedAt.toISOString() }];
      }),
      newsAt: news?.at.toISOString() ?? null,
    };
  };
}
