import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "@/lib/db/connection";
import { accountEntry } from "@/lib/db/tables/accounts";
import { positionReading } from "@/lib/db/tables/position";
import { chainMovement, wallet } from "@/lib/db/tables/wallets";

const Counted = z.object({ rows: z.tuple([z.object({ count: z.coerce.number() })]) });

/** Movements between two places of the tenant after one of them was read and before the other; what is learnt later only adds to them. */
export async function countBetweenReadings(store: Db, tenant: string, day: string): Promise<number> {
  const entry = accountEntry;
  const moved = chainMovement;
  const found = await store.execute(sql`
    with reading as (
      select ${positionReading.subject} as subject, ${positionReading.network} as network, ${positionReading.readAt} as read_at
      from ${positionReading}
      where ${positionReading.tenant} = ${tenant} and ${positionReading.day} = ${day} and ${positionReading.readAt} is not null
    ),
    span as (select network, min(read_at) as first, max(read_at) as last from reading group by network),
    side as (
      select '' as network, ${entry.transactionId} as id, ${entry.at} as at, 'account:' || ${entry.accountRef} as subject
      from span join ${entry} on ${entry.tenant} = ${tenant} and ${entry.at} > span.first and ${entry.at} <= span.last
      where span.network = '' and ${entry.isOwn} and ${entry.isBooked} and ${entry.isDated} and ${entry.droppedAt} is null
      union all
      select ${moved.network}, lower(${moved.hash}), ${moved.at}, 'wallet:' || ${moved.walletId}
      from span join ${moved} on ${moved.tenant} = ${tenant} and ${moved.at} > span.first and ${moved.at} <= span.last
        and ${moved.network} = span.network
      where ${moved.isOwn} and ${moved.isDated} and ${moved.droppedAt} is null
      union all
      select ${moved.network}, lower(${moved.hash}), ${moved.at}, 'wallet:' || ${wallet.id}
      from span join ${moved} on ${moved.tenant} = ${tenant} and ${moved.at} > span.first and ${moved.at} <= span.last
        and ${moved.network} = span.network
      join ${wallet} on ${wallet.tenant} = ${tenant} and ${wallet.spellings} @> array[lower(${moved.counterAddress})]
        and ${wallet.id} <> ${moved.walletId}
      where ${moved.isOwn} and ${moved.isDated} and ${moved.droppedAt} is null
    )
    select count(*) as count from (
      select from side join reading on reading.subject = side.subject and reading.network = side.network
      group by side.network, side.id
      having count(distinct side.at <= reading.read_at) > 1
    ) as between_readings`);
  return Counted.parse(found).rows[0].count;
}
