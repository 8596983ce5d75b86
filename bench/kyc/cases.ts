import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { person } from "@/bench/bank/people";
import type { Db, Store } from "@/lib/store/store";

export const TENANT = "bench";

const PEOPLE = 4;
const RARE_CASES = 40;

/**
 * So many cases as a desk has them after ten weeks: four in five decided, the rest open, half of those waiting, and of these three
 * in ten late and as many due soon; six in ten are somebody's, every tenth is tagged. The shares and the weeks are the same
 * whatever the number, and so is how many cases have a rare tag and how many people share them: a page is full at any size.
 */
async function fill(db: Db, cases: number): Promise<void> {
  const rare = Math.floor(cases / RARE_CASES);
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
      case when n % ${rare} = 7 then array['rara'] when n % 10 = 7 then array['pep'] else array[]::text[] end
    from (
      select n, state, now() - case
        when state in ('APPROVED', 'REPROVED') then share * interval '70 days'
        when state = 'PROCESSING' then share * interval '10 days'
        when share < 0.4 then share / 0.4 * interval '16 hours'
        when share < 0.7 then interval '16 hours' + (share - 0.4) / 0.3 * interval '8 hours'
        else interval '24 hours' + (share - 0.7) / 0.3 * interval '30 days' end as at
      from (
        select n, abs(hashint4(n) % 1000) / 1000.0 as share,
          case (n * 7919) % 100 / 10 when 0 then 'PROCESSING' when 1 then 'PENDING' when 2 then 'REPROVED' when 3 then 'REPROVED'
            else 'APPROVED' end as state
        from generate_series(1, ${cases}::int) n
      ) shares
    ) cases
    join (select id, row_number() over (order by id) - 1 as number from staff) people on people.number = n % ${PEOPLE}
    order by cases.at`);
  await db.execute(sql`insert into kyc_event (tenant, kyc_uuid, kind, detail, at)
    select tenant, kyc_uuid, 'seen', '{}'::jsonb, first_seen_at from kyc_case order by seq`);
  await db.execute(sql`insert into kyc_event (tenant, kyc_uuid, kind, actor, detail, at)
    select tenant, kyc_uuid, 'decided', assignee_id, jsonb_build_object('decision', status, 'state', 'DONE'), decided_at
    from kyc_case where decided_at is not null order by decided_at`);
}

export type Fixture = { store: Store; cases: number; staffId: string };

/** A store with so many cases, which is this process's from then on. */
export async function givenFixture(store: Store, cases: number): Promise<Fixture> {
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
  return { store, cases, staffId: ids.toSorted()[3] ?? "" };
}

export const reader = ({ staffId }: Fixture) => person("kyc:read", staffId);
export const assigner = ({ staffId }: Fixture) => person("kyc:assign", staffId);
