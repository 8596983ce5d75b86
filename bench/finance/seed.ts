import { sql } from "drizzle-orm";
import type { Db } from "@/lib/db/connection";
import { lookupHash, seal } from "@/lib/db/seal";

export const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";

/** What a row can be found by. */
export const SOUGHT = {
  text: "aluguel 777",
  name: "ana prado",
  address: `0x${"c".repeat(40)}`,
  hash: `0x${"9".repeat(64)}`,
};

type Wanted = { tenant: string; staffId: string; entries: number; sources: number };

const uuid = (kind: number, nth: string) =>
  sql.raw(`('0000000${kind}-0000-4000-8000-' || lpad((${nth})::text, 12, '0'))::uuid`);
const uuidOf = (kind: number, nth: number) => `0000000${kind}-0000-4000-8000-${String(nth).padStart(12, "0")}`;

const YEAR = "now() - n * interval '365 days'";

/** A year of statements; each text is sealed to its own row. */
async function seedAccounts(store: Db, { tenant, entries, sources }: Wanted): Promise<void> {
  const texts = Array.from({ length: entries }, (_, at) => {
    const row = [tenant, uuidOf(1, 1 + ((at + 1) % sources)), `k${at + 1}`, "0"];
    return seal(at % 1_000 === 0 ? `Aluguel ${777 + at}` : `Venda ${at} da loja`, {
      column: "account_entry.text_sealed",
      row,
    });
  });
  const nameHash = lookupHash(SOUGHT.name);
  await store.execute(sql`insert into account (ref, tenant, account_id, branch, number, document_hash, document_sealed, first_seen_at)
    select ${uuid(1, "n")}, ${tenant}, 'a' || n, '0001', n::text, 'h' || n, 'v2.00000000.', now() from generate_series(1, ${sources}::int) n`);
  await store.execute(sql`insert into account_reading (tenant, account_ref, from_day, until)
    select ${tenant}, ${uuid(1, "n")}, '2020-01-01', now() from generate_series(1, ${sources}::int) n`);
  await store.execute(sql`insert into account_entry (tenant, account_ref, key, ordinal, transaction_id, type, status, direction, direction_word,
      amount, at, is_dated, is_booked, kept_at, dropped_at, text_sealed, name_hash)
    select ${tenant}, ${uuid(1, `1 + n % ${sources}`)}, 'k' || n, 0, 't' || n, (array['PIX', 'PIX', 'TED', 'FEE'])[1 + n % 4], '',
      (array['in', 'out'])[1 + n % 2], '', (n % 1000) || '.' || lpad((n % 100)::text, 2, '0'), ${sql.raw(YEAR)} / ${entries}::int,
      true, n % 50 > 0, now(), case when n % 500 = 7 then now() end, sealed.text, case when n % 1000 = 1 then ${nameHash} end
    from unnest(${sql.param(texts)}::text[]) with ordinality as sealed (text, n)`);
}

async function seedChains(store: Db, { tenant, entries, sources }: Wanted): Promise<void> {
  const held = JSON.stringify([{ asset: "USDT", tokenAddress: USDT, balance: "1" }]);
  await store.execute(sql`insert into wallet (tenant, id, address, family, coin, status, created_at, seen_at)
    select ${tenant}, 'w' || n, '0x' || lpad(to_hex(n), 40, '0'), 'EVM', '', 'ACTIVE', now(), now() from generate_series(1, ${sources}::int) n`);
  await store.execute(sql`insert into wallet_balance (tenant, wallet_id, network, entries, as_of)
    select ${tenant}, 'w' || n, on_chain, case when n % 2 = 0 then ${held}::jsonb else '[]' end, now()
    from generate_series(1, ${sources}::int) n, unnest(array['ETHEREUM', 'POLYGON', 'BSC']) on_chain`);
  await store.execute(sql`insert into chain_reading (tenant, wallet_id, network, token_address, as_of, is_whole)
    select ${tenant}, 'w' || n, on_chain, '', now(), true
      from generate_series(1, ${sources}::int) n, unnest(array['ETHEREUM', 'POLYGON', 'BSC']) on_chain
    union all select ${tenant}, 'w' || n, 'ETHEREUM', ${USDT}, now(), true from generate_series(2, ${sources}::int, 2) n`);
  await store.execute(sql`insert into chain_movement (tenant, wallet_id, network, key, ordinal, hash, subtype, counter_address, amount,
      block_number, at, is_dated, status, dropped_at, token_address, asset)
    select ${tenant}, 'w' || (1 + n % ${sources}::int), (array['ETHEREUM', 'POLYGON', 'BSC'])[1 + n % 3], 'k' || n, 0,
      case when n = 9 then ${SOUGHT.hash} else '0x' || md5('a' || n) || md5('b' || n) end, (array['incoming', 'outgoing'])[1 + n % 2],
      case when n % 1000 = 1 then ${SOUGHT.address} else '0x' || md5('c' || n) || '00000000' end, (n % 1000) || '.' || lpad(n::text, 18, '0'),
      n::text, ${sql.raw(YEAR)} / ${entries}::int, n % 100 > 0, case when n % 200 = 3 then 'pending' end, case when n % 500 = 7 then now() end,
      case when n % 2 = 0 then ${USDT} end, case when n % 2 = 0 then 'USDT' end from generate_series(1, ${entries}::int) n`);
}

/** One in a thousand waits, is unknown or was refused: who looks for those has few to find. */
async function seedSends(store: Db, { tenant, staffId, entries, sources }: Wanted): Promise<void> {
  const state = sql`(case n % 1000 when 1 then 'UNKNOWN' when 2 then 'HELD' when 3 then 'SENDING' when 4 then 'REFUSED' when 5 then 'REFUSED' else 'DONE' end)`;
  const id = uuid(2, "n");
  const numbers = sql`generate_series(1, ${entries}::int) n`;
  await store.execute(
    sql`insert into staff (id, email, name, password_hash) values (${staffId}::uuid, 'bench@bench.example', 'Bench', 'none')`,
  );
  await store.execute(sql`insert into intent_claim (tenant, id, kind, actor, is_proposed, created_at)
    select ${tenant}, ${id}, 'send', ${staffId}, true, now() from ${numbers}`);
  await store.execute(sql`insert into bank_intent (tenant, id, operation, object, is_exclusive, actor, body_hash, key, state, attempts, may_have_executed,
      owner, sending_until, created_at)
    select ${tenant}, ${id}, '/send', 'wallet:w' || n, false, ${staffId}, 'h', ${id}, ${state}, 1, true, ${id}, now(), now() from ${numbers}
    where n % 1000 <> 6`);
  await store.execute(sql`insert into approval (tenant, id, kind, permission, intent_id, object, is_exclusive, body_hash, frozen_sealed, policy_version,
      maker_id, created_at, expires_at, state)
    select ${tenant}, ${id}, 'crypto.transfer', 'crypto-transfers:create', ${id}, 'wallet:w' || n, false, 'h', 'v2.00000000.', 1, ${staffId}::uuid, now(), now(),
      case n % 1000 when 5 then 'WITHDRAWN' when 6 then 'PENDING' else 'EXECUTED' end from ${numbers}`);
  await store.execute(sql`insert into crypto_order (tenant, intent_id, order_sealed, ordered_at, tx_hash, wallet_id, network, asset, token, amount)
    select ${tenant}, ${id}, 'v2.00000000.' || repeat('A', 240), ${sql.raw(YEAR)} / ${entries}::int, '0x' || md5('t' || n) || md5('u' || n), 'w' || (1 + n % ${sources}::int),
      (array['ETHEREUM', 'POLYGON'])[1 + n % 2], (array['USDT', 'ETH'])[1 + n % 2], case when n % 2 = 0 then ${USDT} end, (n % 1000) || '.' || n
    from ${numbers}`);
}

/** Of 91 days; each account and wallet was read on the last two, and half of the wallets differ between them. */
async function seedPosition(store: Db, { tenant, sources }: Wanted): Promise<void> {
  const figures = (amount: string) =>
    sql`jsonb_build_array(jsonb_build_object('asset', 'USDT', 'token', ${USDT}::text, 'part', 'available', 'amount', ${sql.raw(amount)}))`;
  const day = sql`(now() at time zone 'America/Sao_Paulo')::date - d`;
  await store.execute(sql`insert into position_round (tenant, day, started_at, finished_at, total, tried, failed)
    select ${tenant}, ${day}, now() - d * interval '1 day', now() - d * interval '1 day', 8000, 8000, 0 from generate_series(0, 90) d`);
  await store.execute(sql`insert into position_reading (tenant, day, subject, network, kind, figures, read_at, attempts, tried_at)
    select ${tenant}, ${day}, 'wallet:w' || n, on_chain, 'own', ${figures("(n + d * (n % 2))::text")}, now() - d * interval '1 day', 1, now()
      from generate_series(0, 1) d, generate_series(1, ${sources}::int) n, unnest(array['ETHEREUM', 'POLYGON', 'BSC']) on_chain
    union all select ${tenant}, ${day}, 'account:' || ${uuid(1, "n")}, '', 'account',
      jsonb_build_array(jsonb_build_object('asset', 'BRL', 'token', '', 'part', 'available', 'amount', n || '.00')), now() - d * interval '1 day', 1, now()
      from generate_series(0, 1) d, generate_series(1, ${sources}::int) n`);
  await store.execute(sql`insert into position_sum (tenant, day, network, asset, token, kind, part, amount, readings, unread)
    select ${tenant}, ${day}, on_chain, asset, case asset when 'USDT' then ${USDT} else '' end, 'own', 'available', 1000 + d, ${sources}::int, 0
      from generate_series(0, 90) d, unnest(array['ETHEREUM', 'POLYGON', 'BSC']) on_chain, unnest(array['USDT', 'ETH']) asset
    union all select ${tenant}, ${day}, '', 'BRL', '', 'account', 'available', 5000 + d, ${sources}::int, 0 from generate_series(0, 90) d`);
}

/** Half of the entries in accounts, half on chains; as many sends as entries. */
export async function seedFinance(store: Db, wanted: Wanted): Promise<void> {
  const half = { ...wanted, entries: wanted.entries / 2 };
  await seedAccounts(store, half);
  await seedChains(store, half);
  await seedSends(store, wanted);
  await seedPosition(store, wanted);
  await store.execute(sql`vacuum analyze`);
}
