import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { complaintsOf, isBefore, readOwn } from "./advisories.mjs";

const Entry = z.looseObject({
  version: z.string().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
const Lock = z.object({ packages: z.record(z.string(), Entry) });
const Floor = z.strictObject({ package: z.string(), lowest: z.string(), advisory: z.string(), about: z.string() });
const Accepted = z.strictObject({ package: z.string(), version: z.string(), advisory: z.string(), reason: z.string() });
const Floors = z.strictObject({ readOn: z.iso.date(), floors: z.array(Floor), accepted: z.array(Accepted) });

const lock = Lock.parse(readOwn().lock);
const floors = Floors.parse(readOwn().floors);
const installed = Object.keys(lock.packages).map((path) => path.split("node_modules/").at(-1) ?? "");

const floor = { package: "next", lowest: "16.2.6", advisory: "CVE-2026-1", about: "harm" };
const given = (packages: Record<string, object>) => complaintsOf({ packages }, { floors: [floor], accepted: [] });
const integrity = "sha512-abc";

describe("the packages that are installed", () => {
  test("keeps packages at or above every floor, pinned by their hash", () => {
    expect(complaintsOf(lock, floors)).toEqual([]);
  });

  test("keeps a floor only while its package is installed", () => {
    expect(floors.floors.map((known) => known.package).filter((name) => !installed.includes(name))).toEqual([]);
    const versions = Object.entries(lock.packages).map(
      ([path, { version }]) => `${path.split("node_modules/").at(-1)} ${version}`,
    );
    expect(floors.accepted.filter((one) => !versions.includes(`${one.package} ${one.version}`))).toEqual([]);
  });
});

describe("the gate", () => {
  test.each([
    ["16.2.5", "16.2.6", true],
    ["16.2.6", "16.2.6", false],
    ["16.10.0", "16.2.6", false],
    ["15.9.9", "16.2.6", true],
    ["16.2.6-canary.3", "16.2.6", true],
    ["17.0.0-rc.1", "16.2.6", false],
  ])("%s before %s: %s", (version, other, expected) => expect(isBefore(version, other)).toBe(expected));

  test("reports a package below its floor anywhere in the tree", () => {
    expect(given({ "node_modules/a/node_modules/next": { version: "16.2.5", integrity } })).toEqual([
      "next 16.2.5 is below 16.2.6: CVE-2026-1, harm",
    ]);
    expect(given({ "node_modules/next": { version: "16.2.6", integrity } })).toEqual([]);
  });

  test("accepts a package with a recorded reason, in that version only", () => {
    const accepted = [{ package: "next", version: "16.2.5", advisory: "CVE-2026-1", reason: "is never started" }];
    const at = (version: string) =>
      complaintsOf({ packages: { "node_modules/next": { version, integrity } } }, { floors: [floor], accepted });
    expect([at("16.2.5"), at("16.2.4")]).toEqual([[], [expect.stringContaining("16.2.4 is below")]]);
  });

  test.each([
    [{ version: "1.0.0" }, "no integrity"],
    [{ version: "1.0.0", integrity: "sha1-abc" }, "only held by sha1"],
    [{ version: "1.0.0", integrity, resolved: "git+ssh://git@host.example/a.git" }, "comes from git"],
    [{ version: "1.0.0", integrity, resolved: "http://host.example/a.tgz" }, "comes from http:"],
    [{ link: true }, "is a link"],
    [{ integrity }, "has no version"],
  ])("reports an advisory problem: %j", (entry, complaint) => {
    expect(given({ "node_modules/a": entry })).toEqual([expect.stringContaining(complaint)]);
  });

  test("accepts a platform's package without content, and checks versions only", () => {
    expect(given({ "node_modules/a-darwin": { version: "1.0.0", optional: true, os: ["darwin"] } })).toEqual([]);
    expect(given({ "": { dependencies: { a: "github:b/a" } } })).toEqual(["a is asked for as github:b/a"]);
  });
});

test("lists every platform's packages, as npm ci requires", () => {
  const paths = Object.keys(lock.packages);
  const wanted = Object.values(lock.packages).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies),
  );
  expect(wanted.filter((name) => !paths.some((path) => path.endsWith(`node_modules/${name}`)))).toEqual([]);
});

const isForDevelopment = ({ properties }: { properties: { name: string }[] }) =>
  properties.some(({ name }) => name === "cdx:npm:package:development");

test("names every package in the bill of materials and marks development ones", () => {
  const Bom = z.object({
    bomFormat: z.literal("CycloneDX"),
    specVersion: z.string().regex(/^1\.[5-9]$/),
    serialNumber: z.string().regex(/^urn:uuid:/),
    metadata: z.object({ component: z.object({ type: z.literal("application"), version: z.string() }) }),
    components: z.array(
      z.object({
        name: z.string(),
        version: z.string(),
        purl: z.string().startsWith("pkg:npm/"),
        properties: z.array(z.object({ name: z.string() })),
        hashes: z.array(z.object({ alg: z.string(), content: z.string() })).optional(),
        licenses: z.array(z.unknown()).min(1).optional(),
      }),
    ),
    dependencies: z.array(z.object({ ref: z.string() })),
  });
  const how = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"];
  const run = spawnSync("npm", how, { cwd: resolve(import.meta.dirname, "../.."), encoding: "utf8" });
  expect(run.status).toBe(0);
  const bom = Bom.parse(JSON.parse(run.stdout));
  const named = new Set(bom.components.map(({ name, version }) => `${name} ${version}`));
  const held = Object.entries(lock.packages).filter(([path, { optional }]) => path !== "" && optional !== true);
  const whole = held.map(([path, { version }]) => `${path.split("node_modules/").at(-1)} ${version}`);
  expect(whole.filter((one) => !named.has(one))).toEqual([]);
  const shipped = bom.components.filter((component) => !isForDevelopment(component)).map(({ name }) => name);
  expect(shipped).toEqual(expect.arrayContaining(["next", "react", "zod", "pg"]));
  expect(shipped.filter((name) => ["vitest", "oxlint"].includes(name))).toEqual([]);
});
