import { expect, it } from "vitest";
import { readDatabaseSettings } from "./database-settings";

const own = "postgresql://retaguarda@db.example/retaguarda";
const owner = "postgresql://retaguarda_owner@db.example/retaguarda";

it("without a server the store is embedded, and has no owner's account", () => {
  expect(readDatabaseSettings({ DATABASE_URL: "" })).toEqual({ databaseUrl: null, migrationDatabaseUrl: null });
  expect(() => readDatabaseSettings({ MIGRATION_DATABASE_URL: owner })).toThrow(
    "MIGRATION_DATABASE_URL: is set without DATABASE_URL",
  );
});

it("one account may do both, or each has its own", () => {
  expect(readDatabaseSettings({ DATABASE_URL: own })).toEqual({ databaseUrl: own, migrationDatabaseUrl: null });
  const both = { DATABASE_URL: own, MIGRATION_DATABASE_URL: owner };
  expect(readDatabaseSettings(both)).toEqual({ databaseUrl: own, migrationDatabaseUrl: owner });
});

it("what is no address of a server is named", () => {
  const wrong = { DATABASE_URL: own, MIGRATION_DATABASE_URL: "mysql://db.example" };
  expect(() => readDatabaseSettings(wrong)).toThrow("MIGRATION_DATABASE_URL: must start with postgresql://");
});
