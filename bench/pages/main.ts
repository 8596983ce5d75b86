import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright";
import { z } from "zod";
import { median } from "@/bench/provider/bound";
import { launchBrowser, openPage, requireBuild, signIn } from "@/bench/provider/product";
import { DEMO_PASSWORD } from "@/scripts/product.mjs";
import { startTemporaryProduct } from "@/test/support/temporary-product.mjs";
import { Refusal } from "@/scripts/program.mjs";

const QUIET_MS = 1_000;
const RECORD_WITHIN_MS = 60_000;
/** The minimum time between hovering over a control and pressing it. */
const HOVER_MS = 120;
const EFFECT_WITHIN_MS = 10_000;

/** Times in ms, by column name. */
const Figures = z.record(z.string(), z.number().or(z.nan()));
type Figures = z.infer<typeof Figures>;

/** Runs before the page's own scripts and notes when the first row is painted. */
const watching = (row: string) => `{
  const look = () => {
    const found = document.querySelector(${JSON.stringify(row)});
    if (found === null || !found.checkVisibility()) return requestAnimationFrame(look);
    requestAnimationFrame(() => { globalThis.shownAt = performance.now(); });
  };
  look();
}`;

const TELL = `({
  row: globalThis.shownAt ?? NaN,
  fcp: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
  nodes: document.querySelectorAll("*").length,
})`;

/** One load with an empty cache. */
async function load(page: Page, address: string, row: string): Promise<Figures> {
  await page.addInitScript(watching(row));
  let requests = 0;
  page.on("request", () => (requests += 1));
  await page.goto(address, { waitUntil: "load" });
  for (let seen = -1; seen !== requests; await pause(QUIET_MS)) seen = requests;
  return { ...Figures.parse(await page.evaluate(TELL)), requests };
}

/** The ms from a press to the frame with its effect; NaN without such a control. */
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

/** Who opens each page: a role that may use what it offers. */
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

/** In this order on one page: each leaves it ready for the next. */
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

function lineOf(loads: readonly Figures[]): Record<string, string> {
  const of = (key: string) => median(loads.map((figures) => figures[key] ?? Number.NaN));
  return Object.fromEntries(Object.keys(loads[0] ?? {}).map((key) => [key, of(key).toFixed(0)]));
}

type Target = { name: string; cookies: string; address: string };

/** The first record linked from the list, once its rows are read. */
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

async function visit(browser: Browser, { name, cookies, address }: Target): Promise<Figures> {
  const page = await openPage(browser, new URL(address).origin, cookies);
  const shown = await load(page, address, rowOf(name));
  const took = await interact(page, isRecord(name) ? [] : INTERACTIONS);
  await page.context().close();
  return { ...shown, ...took };
}

export async function measure(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: "string", default: "5" }, only: { type: "string", default: "" } },
  });
  await requireBuild();
  const browser = await launchBrowser();
  const product = await startTemporaryProduct();
  const seen = new Map<string, Figures[]>();
  try {
    const targets = await targetsOf(product.url, values.only);
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      for (const target of targets) {
        const figures = await visit(browser, target);
        // The first round only warms up servers and browser.
        if (round > 0) seen.set(target.name, [...(seen.get(target.name) ?? []), figures]);
      }
    }
  } finally {
    await browser.close();
    await product.stop();
  }
  console.table(Object.fromEntries([...seen].map(([name, one]) => [name, lineOf(one)])));
  return true;
}
