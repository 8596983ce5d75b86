// Never linted here: guards.test.ts writes these files elsewhere.

import { posix } from "node:path";
import { writes } from "@/scripts/lint/boundaries.mjs";

type Planted = { file: string; code: string; says: string };

const imports = (module: string) => `import { it } from "${module}";\nexport const used = it;\n`;
const importsType = (module: string) => `import type { It } from "${module}";\nexport type Used = It;\n`;
const takes = (name: string, module: string) => `import { ${name} } from "${module}";\nexport const used = ${name};\n`;

const forbiddenImports: Planted[] = [
  ["lib/kyc/sideways.ts", "../accounts/queries", "through @/"],
  ["components/ui/domain.tsx", "@/lib/text/format", "no domain, no data"],
  ["components/ui/query.tsx", "@tanstack/react-query", "no domain, no data"],
  ["components/queries.tsx", "@/lib/kyc/queries", "components get their data as props"],
  ["components/provider.tsx", "@/lib/provider/client", "components get their data as props"],
  ["components/db.tsx", "@/lib/db/tables/kyc", "components get their data as props"],
  ["components/session.tsx", "@/lib/auth/session", "components get their data as props"],
  ["app/(console)/kyc/provider.tsx", "@/lib/provider/client", "never provider, db"],
  ["app/(console)/kyc/db.tsx", "@/lib/db/tables/kyc", "never provider, db"],
  ["app/(console)/kyc/audit.tsx", "@/lib/audit/record", "never provider, db"],
  ["app/api/kyc/route-provider.ts", "@/lib/provider/client", "never provider or db"],
  ["app/(console)/kyc/service.tsx", "@/service/app", "never provider, db"],
  ["lib/kyc/view.ts", "./records", "nothing of the server"],
  ["lib/kyc/case-view.ts", "@/lib/db/tables/kyc", "nothing of the server"],
  ["lib/kyc/can.ts", "./queue", "nothing of the server"],
  ["lib/db/enums/kyc.ts", "@/lib/db/tables/kyc", "nothing of the server"],
  ["lib/contract/react.ts", "react", "the wire alone"],
  ["lib/contract/env.ts", "@/lib/settings/env", "downwards alone"],
  ["lib/provider/area.ts", "@/lib/kyc/queries", "downwards alone"],
  ["lib/provider/action.ts", "@/lib/action", "downwards alone"],
  ["lib/db/provider.ts", "@/lib/provider/client", "downwards alone"],
  ["lib/auth/approvals.ts", "@/lib/approvals/records", "downwards alone"],
  ["lib/audit/area.ts", "@/lib/kyc/queries", "downwards alone"],
  ["lib/approvals/area.ts", "@/lib/kyc/queries", "downwards alone"],
  ["lib/approvals/boot.ts", "@/lib/boot/health", "downwards alone"],
  ["lib/kyc/lists.ts", "@/lib/sent-writes", "downwards alone"],
  ["lib/outcomes/entered.ts", "@/lib/accounts/actions", "from screens alone"],
  ["lib/notes/area.ts", "@/lib/kyc/queries", "downwards alone"],
  ["lib/wallets/proxy.ts", "@/lib/auth/actor-now", "what a second person authorised"],
  ["lib/action.ts", "@/lib/kyc/inputs", "downwards alone"],
  ["lib/kyc/above.ts", "@/lib/accounts/queries", "downwards alone"],
  ["lib/accounts/watch-of-kyc.ts", "@/lib/kyc/watch", "only queries"],
  ["lib/kyc/screen.ts", "@/components/table/money", "neither screens nor the service"],
  ["lib/kyc/service.ts", "@/service/app", "neither screens nor the service"],
  ["lib/text/format.ts", "@/components/table/money", "neither screens nor the service"],
  ["lib/outcomes/kinds.ts", "@/lib/kyc/decision-validation", "only queries"],
  ["service/next.ts", "next/server", "never the console"],
  ["service/react.ts", "react", "never the console"],
  ["service/lib.ts", "@/lib/text/format", "never the console"],
  ["service/provider.ts", "@/lib/provider/client", "never the console"],
  ["server/lib.mjs", "@/lib/text/format", "knows no screen and no lib"],
  ["server/package.mjs", "hono", "knows no screen and no lib"],
  ["e2e/inside.ts", "@/lib/provider/client", "from outside"],
  ["e2e/service.ts", "@/service/app", "from outside"],
  ["scripts/setup/setup.mjs", "next", "plain Node"],
  ["lib/kyc/mint.ts", "@/lib/permission/grant", "minted by the factories"],
  ["lib/kyc/tested.ts", "@/test/support/auth", "for tests"],
  ["service/tested.ts", "@/test/support/service/store", "for tests"],
  ["e2e/tested.ts", "@/test/support/kyc", "from outside"],
  ["app/(console)/kyc/boot.tsx", "@/lib/boot/boot", "never provider, db"],
  ["lib/kyc/sign-in.ts", "next-auth", "behind lib/auth/session"],
  ["app/(entry)/sign-in/react.tsx", "next-auth/react", "behind lib/auth/session"],
].map(([file = "", module = "", says = ""]) => ({ file, code: imports(module), says }));

export const guardedNames = writes.flatMap(({ names, says }) =>
  Object.entries(names).flatMap(([module, exported]) => exported.map((name) => ({ module, name, says }))),
);

const besideAnApproval: Planted[] = guardedNames.flatMap(({ module, name, says }) => [
  { file: `app/(console)/planted/${name}.tsx`, code: takes(name, `@/${module}`), says },
  { file: `${posix.dirname(module)}/of-${name}.ts`, code: takes(name, `./${posix.basename(module)}`), says },
]);

const otherWays: Planted[] = [
  {
    file: "service/on-demand.ts",
    code: `export const load = () => import("@/lib/text/format");\n`,
    says: "never the console",
  },
  { file: "service/named.ts", code: `export { it } from "@/lib/text/format";\n`, says: "never the console" },
  { file: "service/type.ts", code: `export type T = import("@/lib/text/format").T;\n`, says: "never the console" },
  { file: "lib/kyc/deep.ts", code: imports("./sub/../../provider/token"), says: "through @/" },
  { file: "components/action.tsx", code: imports("@/lib/action"), says: "components get their data as props" },
  ...Object.entries({
    called: 'import { decideCase } from "./decide";\nexport const now = () => decideCase.perform();',
    "on-demand": 'export const now = () => import("./decide").then((all) => all.decideCase.perform());',
    whole: 'import * as decide from "./decide";\nexport const now = decide.decideCase["perform"];',
    "taken-out": 'import { decideCase } from "./decide";\nexport const { perform: now } = decideCase;',
  }).map(([name, code]) => ({ file: `lib/kyc/${name}.ts`, code: `${code}\n`, says: "ordered, never performed" })),
];

const houseRules: Planted[] = [
  {
    file: "app/(console)/kyc/heavy.tsx",
    code: `"use client";\n${imports("@/lib/contract/kyc")}`,
    says: "the contract's types only",
  },
  { file: "lib/kyc/elsewhere.ts", code: `"use server";\nexport const a = 1;\n`, says: "lib/*/actions.ts only" },
  {
    file: "app/(console)/kyc/inline.tsx",
    code: `export async function decide() {\n  "use server";\n  await Promise.resolve();\n}\n`,
    says: "lib/*/actions.ts only",
  },
  {
    file: "lib/kyc/net.ts",
    code: `export function f(g: () => void) {\n  try {\n    g();\n  } catch {\n    g();\n  }\n}\n`,
    says: "catch narrows to the one error",
  },
  {
    file: "lib/kyc/settled.ts",
    code: `export const f = (one: Promise<void>) => Promise.allSettled([one]);\n`,
    says: "one promise is awaited in a try",
  },
  {
    file: "lib/kyc/beside.ts",
    code: `type Tx = { ask: () => Promise<void> };\ntype Db = Tx & { transaction: (work: (tx: Tx) => Promise<void>) => Promise<void> };\nexport const f = (held: Db) => held.transaction(async (tx) => {\n  await tx.ask();\n  await held.ask();\n});\n`,
    says: "asked through its tx alone",
  },
  {
    file: "lib/kyc/beside-by-name.ts",
    code: `import { db } from "@/lib/db/connection";\nexport const f = async () =>\n  (await db()).transaction(async (tx) => {\n    await tx.execute("select 1");\n    await (await db()).execute("select 1");\n  });\n`,
    says: "asked through its tx alone",
  },
  { file: "lib/kyc/env.ts", code: `export const secret = process.env.SECRET;\n`, says: "settings are read in" },
  ...Object.entries({
    of: "for (const row of rows) await record(row);",
    while: "while (rows.length > 0) await record(rows.pop());",
    map: "await Promise.all(rows.map((row) => record(row)));",
    each: "rows.forEach((row) => void record(row));",
    "all-of": "for (const row of rows) await recordAll([row]);",
    chained: "for (const row of rows) await load().then(() => record(row));",
    helper: "const save = async (row) => record(row);\n  for (const row of rows) await save(row);",
    "helper-of-helper":
      "const save = async (row) => record(row);\n  const all = async () => save(rows[0]);\n  for (const _ of rows) await all();",
    outside: "await db.transaction(async (tx) => {\n    for (const row of rows) await record(tx, row);\n  });",
  }).map(([name, body]) => ({
    file: `lib/kyc/record-${name}.ts`,
    code: `export async function f(rows) {\n  ${body}\n}\n`,
    says: "recorded at its end, by one recordAll",
  })),
  ...Object.entries({
    before:
      "export async function send(actor, order) {\n  await requireFree(await db(), order);\n  return executeOrPropose(kind, actor, order);\n}",
    proposed:
      "export const propose = async (actor, order) => {\n  refuse(can.close(order));\n  return proposeToComplete(kind, actor, order);\n};",
    alone:
      'export async function now(actor, order) {\n  if (order.isOpen) throw new AppError("conflict", { code: "open" });\n  await completeAlone(kind, actor, order);\n}',
    helper:
      'async function look(order) {\n  if (await isOpen(order)) throw new AppError("conflict", { code: "open" });\n}\nexport async function send(actor, order) {\n  await look(order);\n  return executeOrPropose(kind, actor, order);\n}',
    elsewhere:
      "export async function send(actor, form) {\n  await requireSeen(await db(), form);\n  return orderCoins(actor, form);\n}",
    nothing: 'export const kind = defineWrite({ name: "one", validate: nothing });',
    empty: 'export const kind = defineChange({ name: "one", validate: async () => {} });',
    method: 'export const kind = defineWrite({ name: "one", async validate() {} });',
    shared:
      'const shared = { validate: async () => {} };\nexport const kind = defineWrite({ ...shared, name: "one" });',
  }).map(([name, code]) => ({
    file: `lib/kyc/check-${name}.ts`,
    code: `${code}\n`,
    says: "checked by its validate, in the transaction",
  })),
  {
    file: "lib/accounts/actions.ts",
    code: `export const send = action("kyc:start", Form, async (actor, form) => {\n  await requireSeen(form);\n  return orderCoins(actor, form);\n});\n`,
    says: "checked by its validate, in the transaction",
  },
  {
    file: "lib/kyc/env-index.ts",
    code: `export const secret = process["env"].SECRET;\n`,
    says: "settings are read in",
  },
  { file: "service/env.ts", code: `const { env } = process;\nexport const all = env;\n`, says: "settings are read in" },
  {
    file: "service/env-import.ts",
    code: `import { env } from "node:process";\nexport const all = env;\n`,
    says: "settings are read in",
  },
];

const rules: Planted[] = [
  {
    file: "lib/kyc/floating.ts",
    code: `export function f() {\n  fetch("https://x.example");\n}\n`,
    says: "no-floating-promises",
  },
  {
    file: "lib/kyc/switch.ts",
    code: `export function f(x: "a" | "b") {\n  switch (x) {\n    case "a":\n      return 1;\n  }\n  return 2;\n}\n`,
    says: "switch-exhaustiveness-check",
  },
  { file: "lib/kyc/throw.ts", code: `export function f() {\n  throw "text";\n}\n`, says: "only-throw-error" },
  {
    file: "lib/kyc/ignore.ts",
    code: `// @ts-ignore\nexport const a: number = "1";\n`,
    says: "ban-ts-comment",
  },
  { file: "lib/kyc/any.ts", code: `export const f = (x: any) => String(x);\n`, says: "no-explicit-any" },
  {
    file: "lib/kyc/bang.ts",
    code: `export const f = (x: string | null) => x!.length;\n`,
    says: "no-non-null-assertion",
  },
  {
    file: "lib/kyc/as.ts",
    code: `export const f = (x: unknown) => x as string;\n`,
    says: "consistent-type-assertions",
  },
  {
    file: "lib/kyc/type-import.ts",
    code: `import { It } from "./inputs";\nexport type Used = It;\n`,
    says: "consistent-type-imports",
  },
  { file: "lib/kyc/round.ts", code: `import { b } from "./trip";\nexport const a = () => b;\n`, says: "no-cycle" },
  { file: "lib/kyc/trip.ts", code: `import { a } from "./round";\nexport const b = () => a;\n`, says: "no-cycle" },
  { file: "lib/kyc/default.ts", code: `export default 1;\n`, says: "no-default-export" },
  { file: "lib/kyc/index.ts", code: `export * from "./inputs";\nexport * from "./queries";\n`, says: "no-barrel-file" },
  { file: "lib/kyc/camelCase.ts", code: `export const a = 1;\n`, says: "filename-case" },
  {
    file: "app/(console)/kyc/async.tsx",
    code: `"use client";\nexport default async function Screen() {\n  await Promise.resolve();\n  return <p />;\n}\n`,
    says: "no-async-client-component",
  },
  { file: "lib/kyc/long.ts", code: `${"\n".repeat(601)}export const a = 1;\n`, says: "max-lines" },
  {
    file: "lib/kyc/long-function.ts",
    code: `export function f(g: () => void) {\n${"  g();\n".repeat(101)}}\n`,
    says: "max-lines-per-function",
  },
  {
    file: "lib/kyc/params.ts",
    code: `export const f = (a: 1, b: 2, c: 3, d: 4, e: 5) => [a, b, c, d, e];\n`,
    says: "max-params",
  },
];

export const violations: Planted[] = [...forbiddenImports, ...besideAnApproval, ...otherWays, ...houseRules, ...rules];

export const allowed: { file: string; code: string }[] = [
  { file: "lib/kyc/queries.ts", code: imports("@/lib/provider/answer") },
  { file: "lib/accounts/inputs.ts", code: imports("@/lib/kyc/queries") },
  { file: "lib/boot/watches.ts", code: imports("@/lib/kyc/watch") },
  {
    file: "lib/kyc/check-in-validate.ts",
    code: `import { defineWrite, executeOrPropose, requireFree } from "./known";\nconst kind = defineWrite({ name: "one", validate: async (tx: unknown, order: string) => requireFree(tx, order) });\nexport const send = (order: string): unknown => executeOrPropose(kind, order);\n`,
  },
  { file: "lib/kyc/typed-view.ts", code: importsType("./records") },
  { file: "lib/kyc/orders.ts", code: takes("orderDecision", "./decide") },
  { file: "lib/sent-writes.ts", code: takes("decideCase", "@/lib/kyc/decide") },
  { file: "lib/kyc/watch.ts", code: imports("@/lib/permission/grant") },
  { file: "lib/query.ts", code: imports("@/lib/permission/grant") },
  { file: "lib/auth/session.ts", code: imports("next-auth") },
  {
    file: "lib/kyc/actions.ts",
    code: `"use server";\nexport async function decide() {\n  await Promise.resolve();\n}\n`,
  },
  {
    file: "lib/kyc/narrow.ts",
    code: `export function f(g: () => void) {\n  try {\n    g();\n  } catch (error) {\n    if (!(error instanceof SyntaxError)) throw error;\n  }\n}\n`,
  },
  {
    file: "lib/kyc/settled-many.ts",
    code: `export const f = (one: Promise<void>, many: Promise<void>[]) => Promise.allSettled([one, ...many]);\n`,
  },
  {
    file: "lib/kyc/record-each-alone.ts",
    code: `import { record } from "@/lib/audit/record";\nimport type { Db } from "@/lib/db/connection";\nexport async function f(db: Db, rows: Parameters<typeof record>[1][]) {\n  for (const row of rows) await db.transaction((tx) => record(tx, row));\n}\n`,
  },
  { file: "lib/settings/env.ts", code: `export const secret = process.env.SECRET;\n` },
  { file: "lib/contract/shared.ts", code: imports("zod") },
  { file: "service/app.ts", code: imports("@/lib/contract/kyc") },
  { file: "service/opener.ts", code: imports("@/lib/db/embedded") },
  { file: "components/ui/button.tsx", code: imports("@/components/ui/cn") },
  { file: "components/amount.tsx", code: imports("@/lib/text/format") },
  { file: "components/dialog.tsx", code: importsType("@/lib/action") },
  { file: "app/(console)/kyc/table.tsx", code: `"use client";\n${importsType("@/lib/contract/kyc")}` },
  { file: "app/(console)/kyc/page.tsx", code: imports("@/lib/kyc/queries") },
  { file: "lib/kyc/rules.test.ts", code: imports("@/service/app") },
];
