import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { headers } from "next/headers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { MAKING } from "@/test/registries/inputs";
import { ACTS } from "@/test/registries/acts";
import { givenStage, type Readied, type Stage } from "@/test/support/stage";
import { getOpenSession, getSession } from "@/lib/auth/session";
import { scopeIdOf } from "@/lib/auth/view";
import { addFile } from "@/lib/notes/file";
import { caseTarget } from "@/lib/kyc/notes";
import { givenCase } from "@/test/support/kyc";
import { exportsOf, isCallable } from "@/test/registries/tenants";
import { actorOf } from "@/test/support/console";
import { internalOrder, transferInternal } from "@/test/support/transfers";
import { isUuid } from "@/lib/text/decode";

const actions = await exportsOf("actions", isCallable);

/** Tables of memberships and background work. */
const BESIDES = ["staff_membership", "staff_session", "bank_call", "bank_finding", "live_event", "watch_state"];

const Columns = z.object({ rows: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })) });
const Rows = z.object({ rows: z.array(z.object({ name: z.string(), row: z.string() })) });

let stage: Stage;
let tables: { name: string; columns: string[] }[];
beforeEach(async () => {
  vi.mocked(headers).mockResolvedValue(new Headers({ origin: "http://localhost:3000" }));
  stage = await givenStage();
  const found = await stage.db.execute(sql`
    select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
    where table_schema = 'public' and is_generated = 'NEVER' group by 1`);
  tables = Columns.parse(found).rows.filter(
    ({ name, columns }) => columns.includes("tenant") && !BESIDES.includes(name),
  );
});

/** Every record of a tenant, each as one text, by its table. */
async function rowsOf(tenant: string): Promise<{ name: string; row: string }[]> {
  const each = tables.map(
    ({ name }) =>
      sql`select ${name}::text as name, to_jsonb(kept)::text as row from ${sql.identifier(name)} kept where tenant = ${tenant}`,
  );
  return Rows.parse(await stage.db.execute(sql`${sql.join(each, sql` union all `)} order by 1, 2`)).rows;
}

/** How many of Aurora's records name one of the ids, by table. */
async function countsNaming(ids: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, row } of await rowsOf("aurora")) {
    if (ids.some((id) => row.includes(id))) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Moves Aurora's records to Boreal with all their ids. */
const handToBoreal = () =>
  stage.tamper(
    sql.raw(
      `DO $$ BEGIN ${tables.map(({ name }) => `UPDATE ${name} SET tenant = 'boreal' WHERE tenant = 'aurora';`).join(" ")} END $$`,
    ),
  );

/** Copies Aurora's records to Boreal, with the same ids wherever two tenants may share one. */
async function copyToBoreal(): Promise<void> {
  const copies = tables.map(({ name, columns }) => {
    const taken = columns.map((column) => (column === "tenant" ? "'boreal'" : column));
    return `INSERT INTO ${name} (${columns.join(", ")}) SELECT ${taken.join(", ")} FROM ${name} WHERE tenant = 'aurora' ON CONFLICT DO NOTHING;`;
  });
  await stage.tamper(sql.raw(`DO $$ BEGIN ${copies.join(" ")} END $$`));
}

function act(name: string, { by, input }: Readied): Promise<unknown> {
  vi.mocked(getSession).mockResolvedValue(by);
  vi.mocked(getOpenSession).mockResolvedValue(by);
  const action = actions.get(name);
  if (action === undefined) throw new Error(`${name} is no action`);
  return action(input, by === null ? "" : scopeIdOf(by));
}

/** The ids in an input without a record yet: made by the caller, except looked-up ones. */
async function madeIn(input: unknown): Promise<Record<string, string>> {
  const given = z.record(z.string(), z.unknown()).safeParse(input).data ?? {};
  const known = (await rowsOf("aurora")).map(({ row }) => row).join("\n");
  const people = JSON.stringify(await stage.db.execute(sql`select id from staff`));
  const made = Object.entries(given).filter(
    (entry): entry is [string, string] =>
      entry[0] !== "query" &&
      typeof entry[1] === "string" &&
      isUuid(entry[1]) &&
      !known.includes(entry[1]) &&
      !people.includes(entry[1]),
  );
  return Object.fromEntries(made);
}

const acts = Object.entries(ACTS)
  // A person is one at all tenants.
  .filter(([name]) => !/^(auth|factors|staff)\./.test(name))
  .flatMap(([name, ways]) => Object.entries(ways).map(([way, ready]) => [way, name, ready] as const));

/** Refused by the provider, or not answered, but audited. */
const REFUSED = ["a code that the provider refuses", "a look-up of an OTC trade", "a scenario of the lab"];

describe("an id that two tenants have", () => {
  it.each(acts)("keeps one id apart at two tenants for %s (%s)", async (way, name, ready) => {
    const readied = await ready(stage);
    expect(Object.keys(await madeIn(readied.input)).length > 0).toBe(MAKING.includes(name));
    await copyToBoreal();
    const before = await rowsOf("boreal");
    expect(await act(name, readied)).toMatchObject({ ok: !REFUSED.includes(way) });
    expect(await rowsOf("boreal")).toEqual(before);
  });

  const making = acts.filter(([, name]) => MAKING.includes(name));

  it.each(making)("accepts one id again at another tenant for %s (%s)", async (_, name, ready) => {
    const first = await ready(stage);
    const made = await madeIn(first.input);
    expect(await act(name, first)).toMatchObject({ ok: true });
    const counts = await countsNaming(Object.values(made));
    await handToBoreal();
    const before = await rowsOf("boreal");
    const second = await ready(stage);
    expect(await act(name, { ...second, input: Object.assign({}, second.input, made) })).toMatchObject({ ok: true });
    expect(await countsNaming(Object.values(made))).toEqual(counts);
    expect(await rowsOf("boreal")).toEqual(before);
  });

  it("keeps one id apart for uploads and transfers, which are no actions", async () => {
    const fileId = randomUUID();
    const intentId = randomUUID();
    const write = async () => {
      const { staffId } = await stage.seatOf("compliance");
      const file = { fileId, name: "contrato.pdf", bytes: Buffer.from("%PDF-1.7") };
      await addFile(actorOf("compliance", staffId, "kyc:note"), caseTarget("aurora", await givenCase(stage.db)), file);
      await transferInternal(stage.maker, internalOrder(stage.parties, { intentId }));
      return countsNaming([fileId, intentId]);
    };
    const counts = await write();
    await handToBoreal();
    const before = await rowsOf("boreal");
    expect(await write()).toEqual(counts);
    expect(counts).toMatchObject({ casework_file: 1, casework_content: 1, bank_intent: 1, transfer: 1 });
    expect(await rowsOf("boreal")).toEqual(before);
  });
});
