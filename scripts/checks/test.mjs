import { requireNode } from "../setup/node-version.mjs";

requireNode();

void import("./checks.mjs").then(({ runChecks }) => runChecks({ quick: process.argv.includes("--quick") }));
