import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { person } from "@/bench/bank/actors";
import type { Db, Store } from "@/lib/store/store";

export const TENANT = "bench";

const PEOPLE = 12;

/**
 * So many cases as a desk has them after months: four in five decided, the rest open, most of those somebody's; every tenth
 * is tagged, one in a thousand with a rare tag.
 */
async function fill(db: Db, cases: number): Promise<void> {
  await db.execute(sql`insert into kyc_case (tenant, kyc_uuid, vat_number, kyc_type, process, status, first_seen_at, changed_at,
      seen_at, assignee_id, assigned_at, waiting_since, due_at, decided_at, tags)
    select ${TENANT}, gen_random_uuid(), '***.' || lpad((n % 1000)::text, 3, '0') || '.' || lpad((n / 1000)::text, 3, '0') || '-**',
      case when n % 5 = 0 then 'PJ' else 'PF' end,
      case when n % 2 = 0 then 'kyc-backgroundcheck' else 'kyc-documentscopy' end,
      state, at, at + interval '10 minutes', now(),
      case when n % 10 < 6 then people.id end, case when n % 10 < 6 then at end,
      case when state = 'PROCESSING' then null else at end,
      case when state = 'PROCESSING' then null else at + interval '24 hours' end,
      case when state in ('APPROVED', 'REPROVED') then at + interval '10 minutes' end,
      case when n % 1000 = 7 then array['rara'] when n % 10 = 7 then array['pep'] else array[]::text[] end
    from (
      select n, now() - (${cases}::int - n) * interval '1 minute' as at,
        case (n * 7919) % 100 / 10 when 0 then 'PROCESSING' when 1 then 'PENDING' when 2 then 'REPROVED' when 3 then 'REPROVED'
          else 'APPROVED' end as state
      from generate_series(1, ${cases}::int) n
    ) cases
    join (select id, row_number() over (order by id) - 1 as number from staff) people on people.number = n % ${PEOPLE}
    order by n`);
  await db.execute(sql`insert into kyc_event (tenant, kyc_uuid, kind, detail, at)
    select tenant, kyc_uuid, 'seen', '{}'::jsonb, first_seen_at from kyc_case order by seq`);
}

export type Desk = { store: Store; cases: number; staffId: string };

/** A store with so many cases, which is this process's from then on. */
export async function givenDesk(store: Store, cases: number): Promise<Desk> {
  globalThis.retaguardaStore = Promise.resolve(store);
  const ids = Array.from({ length: PEOPLE }, () => randomUUID());
  for (const id of ids) {
    await store.db.execute(
      sql`insert into staff (id, email, name) values (${id}, ${`${id}@bench.example`}, 'Ana Prado')`,
    );
    await store.db.execute(sql`insert into staff_membership (staff_id, tenant, roles)
      values (${id}, ${TENANT}, ${sql.raw("array['compliance']")})`);
  }
  await fill(store.db, cases);
  return { store, cases, staffId: ids[3] ?? "" };
}

export const reader = ({ staffId }: Desk) => person("kyc:read", staffId);
export const assigner = ({ staffId }: Desk) => person("kyc:assign", staffId);
