import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Page } from "playwright";
import { z } from "zod";
import { next, requireBuild, startNext } from "@/bench/bank/product";
import { findRecord, visitors } from "@/scripts/checks/size.mjs";
import { startTemporaryProduct } from "@/scripts/checks/temporary-product.mjs";
import { root, runProgram, say } from "@/scripts/program.mjs";
import { setUpBrowser } from "@/scripts/setup/browser.mjs";

const QUIET_MS = 1_000;
/** From where a pointer rests on a control to the press: what a hand takes at least. */
const HOVER_MS = 120;
const EFFECT_WITHIN_MS = 10_000;

const Marks = z.object({
  row: z.number().nullable(),
  fcp: z.number(),
  lcp: z.number(),
  tbt: z.number(),
  cls: z.number(),
  nodes: z.number(),
});

/** In the page, before any of its scripts: when the first row is painted, and what the browser itself tells. */
const WATCH = `{
  const watched = { row: null, lcp: 0, cls: 0, long: [] };
  globalThis.watched = watched;
  const look = (selector) => {
    const found = document.querySelector(selector);
    if (found === null || !found.checkVisibility()) return requestAnimationFrame(() => look(selector));
    requestAnimationFrame(() => { watched.row = performance.now(); });
  };
  const observe = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  observe("largest-contentful-paint", (entry) => { watched.lcp = entry.startTime; });
  observe("layout-shift", (entry) => { if (!entry.hadRecentInput) watched.cls += entry.value; });
  observe("longtask", (entry) => watched.long.push([entry.startTime, entry.duration]));
  watched.look = look;
}`;

const TELL = `(() => {
  const { row, lcp, cls, long } = globalThis.watched;
  const fcp = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
  const tbt = long.filter(([at]) => at >= fcp).reduce((sum, [, ms]) => sum + Math.max(0, ms - 50), 0);
  return { row, fcp, lcp, tbt, cls, nodes: document.querySelectorAll("*").length };
})()`;

const gzipped = (body: Buffer) => gzipSync(body, { level: 6 }).length;

type Loaded = z.infer<typeof Marks> & {
  html: number;
  js: number;
  css: number;
  requests: number;
  heapMb: number;
};

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize / 1e6;
}

/** One load with an empty cache; the page is left open. */
async function load(context: BrowserContext, address: string, row: string): Promise<[Loaded, Page]> {
  const page = await context.newPage();
  await page.addInitScript(`${WATCH} globalThis.watched.look(${JSON.stringify(row)});`);
  const sizes = { html: 0, js: 0, css: 0 };
  const reading: Promise<void>[] = [];
  let requests = 0;
  page.on("request", () => (requests += 1));
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    const kind = pathname.endsWith(".js") ? "js" : pathname.endsWith(".css") ? "css" : null;
    const name = response.request().isNavigationRequest() ? "html" : kind;
    if (name === null) return;
    const read = async () => {
      const bytes = gzipped(await response.body());
      sizes[name] += bytes;
    };
    reading.push(read());
  });
  await page.goto(address, { waitUntil: "load" });
  for (let seen = -1; seen !== requests; await pause(QUIET_MS)) seen = requests;
  // What interactions fetch later is not of this load, and may arrive when the page is closed.
  page.removeAllListeners("response");
  await Promise.all(reading);
  const marks = Marks.parse(await page.evaluate(TELL));
  return [{ ...marks, ...sizes, requests, heapMb: await heapOf(page) }, page];
}

/** From a press to the frame in which its effect stands, in ms; null where the screen has no such control. */
async function timed(page: Page, press: string, effect: string): Promise<number | null> {
  const control = page.locator(press).filter({ visible: true }).first();
  if ((await control.count()) === 0) return null;
  await control.hover();
  await pause(HOVER_MS);
  await page.evaluate(`{
    globalThis.took = new Promise((resolve) => addEventListener("click", ({ timeStamp }) => {
      const look = () => {
        if (document.querySelector(${JSON.stringify(effect)})?.checkVisibility()) resolve(performance.now() - timeStamp);
        else if (performance.now() - timeStamp > ${EFFECT_WITHIN_MS}) resolve(null);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }, { once: true, capture: true }));
    undefined;
  }`);
  await control.click();
  return z
    .number()
    .nullable()
    .parse(await page.evaluate("globalThis.took"));
}

const ROW = "main tbody tr";
const SECTION = "main section, main h2";

type Screen = { name: string; role: string; row: string };

const LISTS: readonly Screen[] = [
  { name: "/kyc", role: "compliance", row: ROW },
  { name: "/onboarding", role: "compliance", row: ROW },
  { name: "/accounts", role: "support", row: ROW },
  { name: "/wallets", role: "finance", row: ROW },
  { name: "/webhooks", role: "admin", row: ROW },
  { name: "/calls", role: "admin", row: ROW },
  { name: "/audit", role: "admin", row: ROW },
  { name: "/staff", role: "admin", row: ROW },
];

const RECORDS: readonly Screen[] = [
  { name: "/kyc/[id]", role: "compliance", row: SECTION },
  { name: "/onboarding/[id]", role: "compliance", row: SECTION },
  { name: "/accounts/[ref]", role: "support", row: SECTION },
  { name: "/wallets/[id]", role: "finance", row: SECTION },
];

type Target = Screen & { address: string };

type Interaction = { name: string; press: string; effect: string };

const FLOOR_INTERACTIONS: readonly Interaction[] = [
  { name: "dialog", press: "main > button", effect: "dialog[open]" },
  { name: "sort", press: "th button", effect: "th[aria-sort=descending]" },
];

/** In this order, on one page: each leaves it fit for the next. */
const INTERACTIONS: readonly Interaction[] = [
  {
    name: "filters",
    press: "main button[aria-expanded=false][aria-controls]",
    effect: "main button[aria-expanded=true]",
  },
  {
    name: "dialog",
    press: "main tbody button:not([aria-expanded], [aria-disabled]), [aria-haspopup=dialog]",
    effect: "[role=dialog]",
  },
  { name: "sort", press: "main thead th:not([aria-sort]) a", effect: "main thead th[data-was-plain][aria-sort]" },
  { name: "open", press: "main tbody a.row-link", effect: "main header > div:first-child > a" },
];

const middle = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const tookBy = (tries: readonly Map<string, number>[], name: string) => tries.flatMap((took) => took.get(name) ?? []);

async function interact(page: Page, interactions: readonly Interaction[]): Promise<Map<string, number>> {
  const took = new Map<string, number>();
  for (const { name, press, effect } of interactions) {
    await page.evaluate(
      "for (const th of document.querySelectorAll('main thead th:not([aria-sort])')) th.dataset.wasPlain = ''",
    );
    const ms = await timed(page, press, effect);
    if (ms !== null) took.set(name, ms);
    if (name === "dialog") await page.keyboard.press("Escape");
  }
  return took;
}

const cell = (value: number, digits = 0) => (Number.isNaN(value) ? "–" : value.toFixed(digits)).padStart(8);

const COLUMNS =
  "row ms  × floor  fcp ms  lcp ms  tbt ms     cls  html kB   js kB  css kB     req   nodes heap MB filters  dialog    sort    open";

type Seen = { loads: Loaded[]; took: Map<string, number>[] };

function line(name: string, { loads, took }: Seen, floorRow: number): string {
  const of = (pick: (loaded: Loaded) => number) => middle(loads.map(pick));
  const row = of((loaded) => loaded.row ?? Number.NaN);
  const spent = ["filters", "dialog", "sort", "open"].map((each) => cell(middle(tookBy(took, each))));
  return [
    name.padEnd(18),
    cell(row),
    cell(row / floorRow, 2),
    cell(of(({ fcp }) => fcp)),
    cell(of(({ lcp }) => lcp)),
    cell(of(({ tbt }) => tbt)),
    cell(
      of(({ cls }) => cls),
      3,
    ),
    cell(of(({ html }) => html) / 1000, 1),
    cell(of(({ js }) => js) / 1000, 1),
    cell(of(({ css }) => css) / 1000, 1),
    cell(of(({ requests }) => requests)),
    cell(of(({ nodes }) => nodes)),
    cell(
      of(({ heapMb }) => heapMb),
      1,
    ),
    ...spent,
  ].join("");
}

async function targetsOf(visit: ReturnType<typeof visitors>, url: string): Promise<Target[]> {
  const found: Target[] = LISTS.map((screen) => ({ ...screen, address: url + screen.name }));
  for (const screen of RECORDS) {
    const address = await findRecord(await visit(screen.role), url, screen.name.replace(/\/\[.*/, ""));
    if (address !== null) found.push({ ...screen, address });
  }
  return found;
}

type Round = { browser: Browser; visit: ReturnType<typeof visitors>; floor: string; targets: readonly Target[] };

/** Each screen once, the floor among them. */
async function round({ browser, visit, floor, targets }: Round, seen: Map<string, Seen>): Promise<void> {
  const note = (name: string, loaded: Loaded, took: Map<string, number>) => {
    const one = seen.get(name) ?? { loads: [], took: [] };
    seen.set(name, one);
    one.loads.push(loaded);
    one.took.push(took);
  };
  const bare = await browser.newContext();
  const [loaded, page] = await load(bare, floor, "tbody tr");
  note("floor", loaded, await interact(page, FLOOR_INTERACTIONS));
  await bare.close();
  for (const { name, role, row, address } of targets) {
    const context = await visit(role);
    const [shown, opened] = await load(context, address, row);
    note(name, shown, await interact(opened, row === ROW ? INTERACTIONS : []));
    await context.close();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" }, only: { type: "string" } } });
  await requireBuild();
  const folder = join(root, "bench/bank/bare-next");
  const built = spawnSync(process.execPath, [next, "build", folder], { encoding: "utf8" });
  if (built.status !== 0) throw new Error(built.stdout + built.stderr);
  const { chromium } = await import("playwright");
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: await setUpBrowser(), args });
  const product = await startTemporaryProduct();
  const floor = await startNext(folder, { NEXT_TELEMETRY_DISABLED: "1" });
  const seen = new Map<string, Seen>();
  try {
    const visit = visitors(browser, product.url);
    const all = await targetsOf(visit, product.url);
    const targets = all.filter(({ name }) => values.only === undefined || name.includes(values.only));
    const given = { browser, visit, floor: floor.origin, targets };
    // Servers and browser are warm from the second round on.
    await round(given, new Map());
    for (let at = 0; at < Number(values.rounds); at += 1) await round(given, seen);
  } finally {
    await browser.close();
    await floor.stop();
    await product.stop();
  }
  const floorRow = middle(seen.get("floor")?.loads.map(({ row }) => row ?? Number.NaN) ?? []);
  say(`${"".padEnd(20)}${COLUMNS}`);
  for (const [name, one] of seen) say(line(name, one, floorRow));
}

await runProgram(import.meta.url, main);
