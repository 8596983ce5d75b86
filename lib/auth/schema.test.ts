import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { expect, it } from "vitest";
import { z } from "zod";

const folder = join(process.cwd(), "lib/store/migrations");
const read = (file: string) => readFileSync(join(folder, file), "utf8");
const { entries } = z
  .object({ entries: z.array(z.object({ idx: z.number(), tag: z.string() })) })
  .parse(JSON.parse(read("meta/_journal.json")));
const MEMBERSHIP = 7;

it("keeps the people of a console with one tenant where they worked, and their sessions", async () => {
  const store = await PGlite.create();
  for (const { tag } of entries.slice(0, MEMBERSHIP)) await store.exec(read(`${tag}.sql`));
  const [ana, rui, eva] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
  await store.exec(`
    INSERT INTO staff (id, email, name, password_hash, roles) VALUES
      ('${ana}', 'ana@aurora.example', 'Ana', 'x', '{support,auditor}'),
      ('${rui}', 'rui@aurora.example', 'Rui', 'x', '{admin}'),
      ('${eva}', 'eva@aurora.example', 'Eva', 'x', '{finance}');
    INSERT INTO audit_event (tenant, actor, code, outcome, object, detail) VALUES
      ('aurora', 'command', 'staff.add', 'DONE', 'staff:${ana}', '{}'),
      ('aurora', 'command', 'staff.add', 'DONE', 'staff:${rui}', '{}'),
      ('aurora', '${rui}', 'session.open', 'DONE', NULL, '{}'),
      ('boreal', '${rui}', 'session.open', 'DONE', NULL, '{}'),
      ('cobalto', '${rui}', 'session.open', 'REFUSED', NULL, '{}');
    INSERT INTO staff_session (id_hash, staff_id, expires_at) VALUES
      ('r', '${rui}', now()), ('e', '${eva}', now())`);
  await store.exec(read(`${entries[MEMBERSHIP]?.tag}.sql`));
  const members = "SELECT name, tenant, roles FROM staff_membership JOIN staff ON id = staff_id ORDER BY name, tenant";
  expect((await store.query(members)).rows).toEqual([
    { name: "Ana", tenant: "aurora", roles: ["support", "auditor"] },
    { name: "Rui", tenant: "aurora", roles: ["admin"] },
    { name: "Rui", tenant: "boreal", roles: ["admin"] },
  ]);
  expect((await store.query("SELECT id_hash, tenant FROM staff_session")).rows).toEqual([
    { id_hash: "r", tenant: "boreal" },
  ]);
  await store.close();
});
