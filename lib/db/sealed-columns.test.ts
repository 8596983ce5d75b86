import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { givenEnv, givenStore } from "@/test/support/console";
import { LONE_HASHES, SEALED_COLUMNS } from "./sealed-columns";

const Columns = z.object({ rows: z.array(z.object({ name: z.string() })) });

let columns: string[] = [];
beforeAll(async () => {
  givenEnv();
  const db = await givenStore();
  const found = await db.execute(
    sql`select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
  );
  columns = Columns.parse(found).rows.map(({ name }) => name);
});

describe("the list of what is sealed", () => {
  it("names every column whose name says that it is sealed", () => {
    expect(Object.keys(SEALED_COLUMNS)).toEqual(
      expect.arrayContaining(columns.filter((name) => name.endsWith("_sealed"))),
    );
  });

  it.each(Object.entries(SEALED_COLUMNS))("names only existing columns: %s", (name, { row, hash }) => {
    const [table = ""] = name.split(".");
    const named = [name, ...row.map((one) => `${table}.${one}`), ...(hash === null ? [] : [`${table}.${hash}`])];
    expect(columns).toEqual(expect.arrayContaining(named));
  });

  it("covers every keyed hash, with or without its source", () => {
    const beside = Object.entries(SEALED_COLUMNS).flatMap(([name, { hash }]) => `${name.split(".")[0]}.${hash}`);
    const alone = LONE_HASHES.map(({ table, hash }) => `${table}.${hash}`);
    const hashes = columns.filter((name) => /\.(body|document)_hash$|\.likeness$/.test(name));
    expect([...beside, ...alone]).toEqual(expect.arrayContaining(hashes));
    expect(columns).toEqual(expect.arrayContaining(LONE_HASHES.map(({ table, at }) => `${table}.${at}`)));
  });
});
