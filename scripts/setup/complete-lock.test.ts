import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { completeLock, missingPackages } from "./complete-lock.mjs";

test("package-lock.json holds the packages of every platform (npm run lock writes them in)", () => {
  expect(missingPackages(JSON.parse(readFileSync("package-lock.json", "utf8")))).toEqual([]);
});

test("a platform package is written in with the version its parent pins and the platform its name says", () => {
  const parent = {
    version: "2.0.0",
    dev: true,
    optionalDependencies: { "@tool/darwin-arm64": "2.0.0", "@tool/linux-x64": "2.0.0" },
  };
  const present = { version: "2.0.0", os: ["linux"] };
  const { packages } = completeLock({
    packages: { "node_modules/tool": parent, "node_modules/@tool/linux-x64": present },
  });
  expect(packages).toEqual({
    "node_modules/@tool/darwin-arm64": { version: "2.0.0", cpu: ["arm64"], dev: true, optional: true, os: ["darwin"] },
    "node_modules/@tool/linux-x64": present,
    "node_modules/tool": parent,
  });
});
