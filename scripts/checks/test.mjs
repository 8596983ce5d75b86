import { requireNode } from "../setup/node-version.mjs";

requireNode();

const [flag = "--test"] = process.argv.slice(2);

void import("./checks.mjs").then(({ runChecks }) => runChecks({ suite: flag.slice(2) }));
