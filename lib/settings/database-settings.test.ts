import { expect, it } from "vitest";
import { readDatabaseSettings } from "./env";

const own = "postgresql://retaguarda@db.example/retaguarda?sslmode=verify-full";
const owner = "postgresql://retaguarda_owner@db.example/retaguarda?sslmode=verify-full";

it("uses the embedded store, without an owner's account, when no server is set", () => {
  expect(readDatabaseSettings({ DATABASE_URL: "" })).toEqual({ databaseUrl: null, migrationDatabaseUrl: null });
  expect(() => readDatabaseSettings({ MIGRATION_DATABASE_URL: owner })).toThrow(
    "MIGRATION_DATABASE_URL: is set without DATABASE_URL",
  );
});

it("accepts one account for both, or one for each", () => {
  expect(readDatabaseSettings({ DATABASE_URL: own })).toEqual({ databaseUrl: own, migrationDatabaseUrl: null });
  const both = { DATABASE_URL: own, MIGRATION_DATABASE_URL: owner };
  expect(readDatabaseSettings(both)).toEqual({ databaseUrl: own, migrationDatabaseUrl: owner });
});

it("names an invalid server address", () => {
  const wrong = { DATABASE_URL: own, MIGRATION_DATABASE_URL: "mysql://db.example" };
  expect(() => readDatabaseSettings(wrong)).toThrow("MIGRATION_DATABASE_URL: must start with postgresql://");
});

it.each([
  "postgresql://db.example/retaguarda",
  "postgresql://db.example/retaguarda?sslmode=disable",
  "postgresql://db.example/retaguarda?sslmode=require",
  "postgresql://db.example/retaguarda?sslmode=no-verify",
  "postgresql://db.example/retaguarda?sslmode=verify-full&sslmode=disable",
  "postgresql://localhost/retaguarda?host=db.example",
])("checks the identity of a remote server: %s", (url) => {
  const says = "names a server elsewhere, whose identity must be checked: end it with ?sslmode=verify-full";
  expect(() => readDatabaseSettings({ DATABASE_URL: url })).toThrow(`DATABASE_URL: ${says}`);
  const both = { DATABASE_URL: own, MIGRATION_DATABASE_URL: url };
  expect(() => readDatabaseSettings(both)).toThrow(`MIGRATION_DATABASE_URL: ${says}`);
});

it.each([
  "postgresql://localhost/retaguarda",
  "postgresql://127.0.0.1:5432/retaguarda",
  "postgresql://[::1]/retaguarda",
  "postgresql:///retaguarda?host=/run/postgresql",
  "postgresql://%2Frun%2Fpostgresql/retaguarda",
])("does not check one on this machine: %s", (url) => {
  expect(readDatabaseSettings({ DATABASE_URL: url }).databaseUrl).toBe(url);
});
