import { requireNode } from "./setup/node-version.mjs";

requireNode();

void import("./product.mjs").then(({ startProduct }) => startProduct({ dev: process.argv.includes("--dev") }));
