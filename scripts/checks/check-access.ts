import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ACTIONS, HANDLERS, PAGES } from "@/lib/permission/access";
import { buildFolder } from "@/scripts/setup/build.mjs";
import { Refusal, runProgram, say } from "@/scripts/program.mjs";

const TABLE = "lib/permission/access.ts";
/** Next makes these itself, and nobody requests them. */
const OF_NEXT = ["/_not-found", "/_global-error"];

const Built = z.object({ filename: z.string(), exportedName: z.string(), workers: z.record(z.string(), z.unknown()) });
const Actions = z.object({ node: z.record(z.string(), Built) });
const Paths = z.record(z.string(), z.string());

/** Actions as `area.name`, pages and handlers by path with the segments as in `app`. */
export type Surface = { actions: string[]; pages: string[]; handlers: string[] };

/** `lib/kyc/actions.ts` and `decideCase`: `kyc.decideCase`; elsewhere the whole path. */
const actionName = (filename: string, exportedName: string) =>
  `${/^lib\/([^/]+)\/actions\.tsx?$/.exec(filename)?.[1] ?? filename}.${exportedName}`;

/** `/(console)/kyc/[id]/page`: `/kyc/[id]`; null for any other file. */
function addressOf(path: string, file: "page" | "route"): string | null {
  if (!path.endsWith(`/${file}`)) return null;
  return (
    path
      .slice(0, -file.length - 1)
      .split("/")
      .filter((segment) => !/^\(.*\)$/.test(segment))
      .join("/") || "/"
  );
}

const isOurs = (address: string | null): address is string => address !== null && !OF_NEXT.includes(address);

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

/** As a browser calls it: by id, at a page that offers it. */
export type Offer = { id: string; pages: string[] };

export function readBuild(built: string): Surface & { offers: Map<string, Offer> } {
  const server = join(built, "server");
  const { node } = Actions.parse(readJson(join(server, "server-reference-manifest.json")));
  const offers = Object.entries(node).map(([id, { filename, exportedName, workers }]): [string, Offer] => {
    const pages = Object.keys(workers).map((worker) => addressOf(worker.replace(/^app/, ""), "page"));
    return [actionName(filename, exportedName), { id, pages: pages.filter(isOurs) }];
  });
  const paths = Object.keys(Paths.parse(readJson(join(server, "app-paths-manifest.json"))));
  const addresses = (file: "page" | "route") => paths.map((path) => addressOf(path, file)).filter(isOurs);
  return {
    offers: new Map(offers),
    actions: offers.map(([name]) => name),
    pages: addresses("page"),
    handlers: addresses("route"),
  };
}

type Kind = keyof Surface;

const POSITIONS: Record<Kind, { table: object; name: string; line: (key: string) => string }> = {
  actions: { table: ACTIONS, name: "ACTIONS", line: (key) => `"${key}": plain("<who may>")` },
  pages: { table: PAGES, name: "PAGES", line: (key) => `"${key}": "<who may>"` },
  handlers: { table: HANDLERS, name: "HANDLERS", line: (key) => `"${key}": { GET: "<who may>" }` },
};

export function differences(found: Surface): string[] {
  const kinds: Kind[] = ["actions", "pages", "handlers"];
  return kinds.flatMap((kind) => {
    const { table, name, line } = POSITIONS[kind];
    const listed = Object.keys(table);
    const missing = found[kind].filter((key) => !listed.includes(key));
    const gone = listed.filter((key) => !found[kind].includes(key));
    return [
      ...missing.map((key) => `${key} is not in ${TABLE}: say who may, by a line  ${line(key)},  in ${name}.`),
      ...gone.map((key) => `${key} stands in ${name} of ${TABLE} and is not in the build: remove its line, or use it.`),
    ];
  });
}

export function checkAccess(built = buildFolder()): void {
  if (!existsSync(built)) throw new Refusal(`${built} is not there: nothing was built.`);
  const found = readBuild(built);
  const wrong = differences(found);
  if (wrong.length > 0) throw new Refusal(wrong.join("\n"));
  const { actions, pages, handlers } = found;
  say(
    `Access: ${actions.length} actions, ${pages.length} pages and ${handlers.length} handlers, each of them in ${TABLE}.`,
  );
}

await runProgram(import.meta.url, async () => checkAccess());
