import { sql } from "drizzle-orm";
import { z } from "zod";
import { missingTriggers, tenantsOf, unsignedRows } from "@/lib/audit-trail/commands";
import { readLastHead } from "@/lib/audit/head";
import { readHead } from "@/lib/audit/chain";
import { command } from "@/lib/db/command";
import { env } from "@/lib/settings/env";
import { storeNow } from "@/lib/db/clock";

const Version = z.object({ rows: z.tuple([z.object({ version: z.string() })]) });

/** An answer proves that tables and data key are right: otherwise the store does not open. */
export const examineStore = command({
  name: "doctor:examine",
  input: z.object({}),
  output: z.object({
    version: z.string(),
    aheadMs: z.number(),
    missingTriggers: z.array(z.string()),
    records: z.array(z.object({ tenant: z.string(), signedAt: z.string().nullable(), overdueRows: z.int() })),
  }),
  async run(db) {
    const askedAt = Date.now();
    const aheadMs = (await storeNow(db)).getTime() - (askedAt + Date.now()) / 2;
    const { version } = Version.parse(await db.execute(sql`select version()`)).rows[0];
    const directory = env().auditHeadsDir;
    const records = [];
    for (const tenant of await tenantsOf(db, [directory])) {
      const newest = (await readLastHead(directory, tenant))?.head ?? null;
      const unsigned = await unsignedRows(db, { tenant, newest, upTo: await readHead(db, tenant) });
      const overdueRows = unsigned?.isOverdue === true ? unsigned.rows : 0;
      records.push({ tenant, signedAt: newest?.at ?? null, overdueRows });
    }
    return { version, aheadMs, missingTriggers: await missingTriggers(db), records };
  },
});
