import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { nodeRefusal, OLDEST_NODE } from "./node-version.mjs";

test.each(["18.20.4", "20.0.0", "20.18.3", "9.11.2"])("refuses Node %s in one line that names both", (version) => {
  expect(nodeRefusal(version)).toBe(`Retaguarda needs Node ${OLDEST_NODE} or later; this is Node ${version}.`);
});

test.each(["20.19.0", "20.20.2", "22.0.0", "100.1.0"])("accepts Node %s", (version) => {
  expect(nodeRefusal(version)).toBeUndefined();
});

test("matches the package's required Node", () => {
  const { engines } = z
    .object({ engines: z.object({ node: z.string() }) })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));
  expect(engines.node).toBe(`>=${OLDEST_NODE}`);
});
