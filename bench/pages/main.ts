import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright";
import { z } from "zod";
import { median } from "@/bench/provider/bound";
import { launchBrowser, openPage, requireBuild, signIn, startInstance } from "@/bench/provider/product";
import { DEMO_PASSWORD } from "@/scripts/product.mjs";
import { startTemporaryProduct } from "@/test/support/temporary-product.mjs";
import { Refusal, root } from "@/scripts/program.mjs";

const QUIET_MS = 1_000;
const RECORD_WITHIN_MS = 60_000;
/** From where a pointer rests on a control to the press: what a hand takes at least. */
const HOVER_MS = 120;
const EFFECT_WITHIN_MS = 10_000;

/** By the name of a column; times in ms, sizes in kB of gzip. */
const Figures = z.record(z.string(), z.number().or(z.nan()));
type Figures = z.infer<typeof Figures>;

/** In the page, before any of its scripts: when the first row is painted, and what the browser itself tells. */
const WATCH = `{
  const watched = { row: NaN, lcp: 0, cls: 0, long: [] };
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

const gzipped = (body: Buffer) => gzipSync(body, { level: 6 }).length / 1000;

/** One load with an empty cache. */
async function load(page: Page, address: string, row: string): Promise<Figures> {
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
  return { ...Figures.parse(await page.evaluate(TELL)), ...sizes, requests };
}

/** From a press to the frame in which its effect stands, in ms; NaN where the screen has no such control. */
async function timed(page: Page, { press, effect }: Interaction): Promise<number> {
  const control = page.locator(press).filter({ visible: true }).first();
  if ((await control.count()) === 0) return Number.NaN;
  await control.hover();
  await pause(HOVER_MS);
  await page.evaluate(`{
    globalThis.took = new Promise((resolve) => addEventListener("click", ({ timeStamp }) => {
      const look = () => {
        if (document.querySelector(${JSON.stringify(effect)})?.checkVisibility()) resolve(performance.now() - timeStamp);
        else if (performance.now() - timeStamp > ${EFFECT_WITHIN_MS}) resolve(NaN);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }, { once: true, capture: true }));
    undefined;
  }`);
  await control.click();
  return Number(await page.evaluate("globalThis.took"));
}

/** Who opens each, which may do what it offers. */
const ROLES = {
  "/kyc": "compliance",
  "/onboarding": "compliance",
  "/accounts": "support",
  "/wallets": "finance",
  "/webhooks": "admin",
  "/calls": "admin",
  "/audit": "admin",
  "/staff": "admin",
  "/kyc/[id]": "compliance",
  "/onboarding/[id]": "compliance",
  "/accounts/[ref]": "support",
  "/wallets/[id]": "finance",
};

const isRecord = (name: string) => name.includes("[");
const rowOf = (name: string) => (isRecord(name) ? "main section, main h2" : "main tbody tr");

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

const MARK = "for (const th of document.querySelectorAll('main thead th:not([aria-sort])')) th.dataset.wasPlain = ''";

async function interact(page: Page, interactions: readonly Interaction[]): Promise<Figures> {
  const took: Figures = {};
  for (const interaction of interactions) {
    await page.evaluate(MARK);
    took[interaction.name] = await timed(page, interaction);
    if (interaction.name === "dialog") await page.keyboard.press("Escape");
  }
  return took;
}

const DIGITS: Record<string, number> = { cls: 3, html: 1, js: 1, css: 1 };

function lineOf(loads: readonly Figures[], floorRow: number): Record<string, string> {
  const of = (key: string) => median(loads.map((figures) => figures[key] ?? Number.NaN));
  const figures = Object.keys(loads[0] ?? {}).map((key) => [key, of(key).toFixed(DIGITS[key] ?? 0)]);
  return { "× floor": (of("row") / floorRow).toFixed(2), ...Object.fromEntries(figures) };
}

type Target = { name: string; cookies: string; address: string };

/** The first record that the list leads to, once its rows are read. */
async function firstRecord(list: string, cookie: string): Promise<string> {
  const giveUpAtMs = performance.now() + RECORD_WITHIN_MS;
  while (performance.now() < giveUpAtMs) {
    const html = await (await fetch(list, { headers: { cookie } })).text();
    const [, found] = /<tbody.*?<a [^>]*href="([^"]+)"/s.exec(html) ?? [];
    if (found !== undefined) return new URL(found, list).href;
    await pause(QUIET_MS);
  }
  throw new Refusal(`${list} leads to no record.`);
}

async function targetsOf(url: string, only: string): Promise<Target[]> {
  const found: Target[] = [];
  for (const [name, role] of Object.entries(ROLES).filter(([each]) => each.includes(only))) {
    const list = url + name.replace(/\/\[.*/, "");
    const cookies = await signIn(url, `${role}@retaguarda.demo`, DEMO_PASSWORD);
    found.push({ name, cookies, address: isRecord(name) ? await firstRecord(list, cookies) : list });
  }
  return found;
}

type Round = { browser: Browser; floor: string; targets: readonly Target[] };

/** Each screen once, the floor among them. */
async function* round({ browser, floor, targets }: Round): AsyncGenerator<[string, Figures]> {
  const bare = await browser.newPage();
  const least = await load(bare, floor, "tbody tr");
  yield ["floor", { ...least, ...(await interact(bare, FLOOR_INTERACTIONS)) }];
  await bare.close();
  for (const { name, cookies, address } of targets) {
    const page = await openPage(browser, new URL(address).origin, cookies);
    const shown = await load(page, address, rowOf(name));
    yield [name, { ...shown, ...(await interact(page, isRecord(name) ? [] : INTERACTIONS)) }];
    await page.context().close();
  }
}

export async function measure(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: "string", default: "5" }, only: { type: "string", default: "" } },
  });
  await requireBuild();
  const next = join(root, "node_modules/next/dist/bin/next");
  const folder = join(root, "bench/pages/floor");
  const built = spawnSync(process.execPath, [next, "build", folder], { encoding: "utf8" });
  if (built.status !== 0) throw new Error(built.stdout + built.stderr);
  const browser = await launchBrowser();
  const product = await startTemporaryProduct();
  const floor = await startInstance({ NEXT_TELEMETRY_DISABLED: "1" }, [next, "start", folder]);
  const seen = new Map<string, Figures[]>();
  try {
    const targets = await targetsOf(product.url, values.only);
    const given = { browser, floor: floor.origin, targets };
    for (let at = 0; at <= Number(values.rounds); at += 1) {
      for await (const [name, figures] of round(given)) {
        // Servers and browser are warm from the second round on.
        if (at > 0) seen.set(name, [...(seen.get(name) ?? []), figures]);
      }
    }
  } finally {
    await browser.close();
    await floor.stop();
    await product.stop();
  }
  const floorRow = median(seen.get("floor")?.flatMap(({ row }) => row ?? []) ?? []);
  console.table(Object.fromEntries([...seen].map(([name, one]) => [name, lineOf(one, floorRow)])));
  return true;
}
