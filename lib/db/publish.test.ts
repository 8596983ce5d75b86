import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Db, store } from "./connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { forgetOld, readNotification, readSince } from "@/lib/live/live";
import { LIVE_CHANNEL, publish, publishAll } from "./publish";
import { liveEvent } from "@/lib/db/tables/live";

let db: Db;
const kyc = { tenant: "aurora", topic: "kyc" } as const;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

/** Everything that another instance receives while `happens` runs. */
async function receivedWhile(happens: () => Promise<unknown>) {
  const received: string[] = [];
  const { listen } = await store();
  const connected = vi.fn<() => void>();
  const stop = listen(LIVE_CHANNEL, { received: (payload) => received.push(payload), connected });
  await vi.waitFor(() => expect(connected).toHaveBeenCalled());
  await happens();
  // The last message sent arrives last.
  await publish(db, { ...kyc, object: "last" });
  await vi.waitFor(() => expect(received.at(-1)).toContain('"last"'));
  await stop();
  return Promise.all(received.slice(0, -1).map(readNotification));
}

describe("a published event", () => {
  it("delivers an event to every instance as it is stored", async () => {
    const received = await receivedWhile(async () => {
      await publish(db, { ...kyc, object: 'with "quotes" and ção' });
      await publish(db, kyc);
    });
    expect(received).toMatchObject([
      { tenant: "aurora", topic: "kyc", object: 'with "quotes" and ção' },
      { object: null },
    ]);
    expect(await db.select().from(liveEvent).orderBy(liveEvent.id).limit(2)).toMatchObject(received);
  });

  it("sends no event when its transaction rolls back", async () => {
    const received = await receivedWhile(() =>
      db
        .transaction(async (tx) => {
          await publish(tx, { ...kyc, object: "never" });
          tx.rollback();
        })
        .catch(() => undefined),
    );
    expect(received).toEqual([]);
  });

  it("fits an event into a notification, however long the provider's id", async () => {
    const received = await receivedWhile(() => publish(db, { ...kyc, object: "é".repeat(9_000) }));
    expect(received).toMatchObject([{ object: null }]);
  });

  it("names no objects of an event when there are too many", async () => {
    const objects = Array.from({ length: 51 }, (_, n) => `k${n}`);
    const received = await receivedWhile(async () => {
      await publishAll(db, { ...kyc, objects: [] });
      await publishAll(db, { ...kyc, objects: objects.slice(0, 2) });
      await publishAll(db, { ...kyc, objects });
    });
    expect(received.map(({ object }) => object)).toEqual(["k0", "k1", null]);
  });

  it("reports one topic change for any number of missed events", async () => {
    await publish(db, kyc);
    const [heard] = await readSince(db, 0);
    for (let n = 0; n < 100; n += 1) await publish(db, { ...kyc, object: `k${n}` });
    await publish(db, { tenant: "boreal", topic: "wallets" });
    const unheard = (await readSince(db, heard?.id ?? 0)).toSorted((one, other) => one.id - other.id);
    expect(unheard).toMatchObject([
      { ...kyc, object: null },
      { tenant: "boreal", topic: "wallets", object: null },
    ]);
    expect(await readSince(db, unheard.at(-1)?.id ?? 0)).toEqual([]);
  });

  it("deletes a published event after ten minutes", async () => {
    await publish(db, { ...kyc, object: "old" });
    await db.update(liveEvent).set({ at: sql`clock_timestamp() - interval '10 minutes 1 second'` });
    await publish(db, { ...kyc, object: "new" });
    await forgetOld(db);
    expect(await db.select().from(liveEvent)).toMatchObject([{ object: "new" }]);
  });
});
