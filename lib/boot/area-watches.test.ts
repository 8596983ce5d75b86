import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { providerIntent } from "@/lib/db/tables/provider";
import { log } from "@/lib/log/log";
import { readWith } from "@/lib/permission/writes";
import { SENT_WRITES } from "@/lib/sent-writes";
import { givenIntentRows } from "@/test/support/claims";
import { givenEnv, givenService, givenStore } from "@/test/support/console";
import { areaWatch } from "./area-watches";

it.each(SENT_WRITES.map(({ name, intent }) => [name, intent.path, readWith(name)] as const))(
  "takes up %s when the sender of %s is gone, by the watch of %s",
  async (_name, operation, area) => {
    vi.spyOn(log, "warn").mockImplementation(() => undefined);
    givenEnv();
    const db = await givenStore();
    await givenService();
    const id = randomUUID();
    const at = new Date();
    const sender = { actor: randomUUID(), owner: randomUUID(), key: randomUUID(), bodyHash: "x", isExclusive: false };
    const times = { sendingUntil: at, createdAt: at, firstSentAt: at };
    const left = { state: "SENDING", attempts: 1, mayHaveExecuted: true, object: `gone:${id}` } as const;
    await givenIntentRows(db, { tenant: "aurora", id, operation, ...sender, ...times, ...left });
    await areaWatch(area).sweep("aurora");
    const [row] = await db.select().from(providerIntent).where(eq(providerIntent.id, id));
    expect([row?.state, row?.code]).toEqual(["UNKNOWN", "sender-gone"]);
  },
);
