import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { build, buildFolder, buildIsStale } from "../setup/build.mjs";
import { setUpBrowser } from "../setup/browser.mjs";
import { Refusal, root, runProgram, say } from "../program.mjs";
import { startTemporaryProduct } from "./temporary-product.mjs";
import { DEMO_PASSWORD, KNOWN_HOLDER } from "../product.mjs";

const QUIET_MS = 1_000;
const RECORD_WITHIN_MS = 60_000;

/** Who opens a screen: what a role may do decides which islands its browser gets. */
const roleFor = {
  enrol: "newcomer",
  kyc: "compliance",
  onboarding: "compliance",
  accounts: "support",
  wallets: "finance",
};

const leadsOn = new Set(["/settings"]);

function screens() {
  const routes = JSON.parse(readFileSync(join(buildFolder(), "app-path-routes-manifest.json"), "utf8"));
  const pages = Object.entries(routes).filter(([file, route]) => file.endsWith("/page") && !route.startsWith("/_"));
  return pages
    .map(([, route]) => route)
    .filter((route) => !leadsOn.has(route))
    .toSorted((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
}

const NEWCOMER = { email: "newcomer@retaguarda.example", password: "uma frase que ninguém adivinha" };

function addNewcomer(dataDir) {
  const add = [
    "scripts/ops/staff.ts",
    "add",
    NEWCOMER.email,
    "--name",
    "Clara Nunes",
    "--role",
    "finance",
    "--tenant",
    "all",
  ];
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "", BANK_BASE_URL: "", TENANTS_FILE: "" };
  const command = ["--conditions=react-server", "--import", "tsx", ...add];
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: root, env, input: NEWCOMER.password });
  if (status !== 0) throw new Refusal(`The newcomer could not be added: ${String(stderr)}`);
}

/** Contexts with an empty cache, signed in as a role, as the newcomer or as nobody; each signs in once. */
function visitors(browser, url) {
  const sessions = new Map();
  const signIn = async (role) => {
    const context = await browser.newContext();
    const { csrfToken } = await (await context.request.get(`${url}/api/auth/csrf`)).json();
    const who = role === "newcomer" ? NEWCOMER : { email: `${role}@retaguarda.demo`, password: DEMO_PASSWORD };
    const form = { csrfToken, ...who, json: "true" };
    const answer = await context.request.post(`${url}/api/auth/callback/credentials`, { form });
    if (!answer.ok()) throw new Refusal(`${form.email} could not sign in (${answer.status()}).`);
    return context.storageState();
  };
  return async (role) => {
    if (role && !sessions.has(role)) sessions.set(role, await signIn(role));
    return browser.newContext(role ? { storageState: sessions.get(role) } : {});
  };
}

async function becomesQuiet(arrivals) {
  for (let seen = -1; seen !== arrivals.length; await pause(QUIET_MS)) seen = arrivals.length;
}

async function measure(context, address) {
  const page = await context.newPage();
  const scripts = [];
  page.on("response", (response) => {
    if (new URL(response.url()).pathname.endsWith(".js")) scripts.push(response);
  });
  const answer = await page.goto(address, { waitUntil: "load" });
  await becomesQuiet(scripts);
  if (!answer.ok() || page.url() !== address) throw new Refusal(`${address} did not open (${answer.status()}).`);
  const bodies = new Map();
  for (const script of scripts) bodies.set(script.url(), await script.body());
  await context.close();
  const bytes = [...bodies.values()].reduce((sum, body) => sum + gzipSync(body, { level: 6 }).length, 0);
  return { bytes, files: bodies.size };
}

async function findRecord(context, url, list) {
  const page = await context.newPage();
  await page.goto(url + list);
  if (list === "/accounts") {
    await page.locator("input[name=query]").fill(KNOWN_HOLDER.cpf);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${url}${list}/*`, { timeout: RECORD_WITHIN_MS });
  } else {
    const link = page.locator(`main tbody a[href^="${list}/"]`).first();
    const [found] = await Promise.allSettled([link.waitFor({ timeout: RECORD_WITHIN_MS })]);
    if (found.status === "rejected") return context.close().then(() => null);
    await page.goto(url + (await link.getAttribute("href")));
  }
  const address = page.url();
  await context.close();
  return address;
}

/**
 * First-load JavaScript of every screen of the running production build: the distinct scripts that a browser with an empty
 * cache gets until the screen is quiet, each gzipped again at level 6.
 */
async function* measureScreens(browser, url) {
  const visit = visitors(browser, url);
  for (const route of screens()) {
    const [list, isRecord] = [route.replace(/\/\[.*/, ""), route.includes("[")];
    const role = route === "/sign-in" ? undefined : (roleFor[route.split("/")[1]] ?? "admin");
    const address = isRecord ? await findRecord(await visit(role), url, list) : url + route;
    if (address === null) yield { route, bytes: null, files: 0 };
    else yield { route, ...(await measure(await visit(role), address)) };
  }
}

async function printSizes() {
  if (buildIsStale()) await build();
  const { chromium } = await import("playwright");
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: await setUpBrowser(), args: asRoot });
  const product = await startTemporaryProduct();
  addNewcomer(product.dataDir);
  say("first-load JavaScript of each screen, gzip level 6, 1 kB = 1000 bytes\n");
  say(`${"screen".padEnd(24)}${"kB".padStart(8)}${"files".padStart(8)}`);
  try {
    for await (const { route, bytes, files } of measureScreens(browser, product.url)) {
      const size =
        bytes === null ? "no record".padStart(16) : (bytes / 1000).toFixed(1).padStart(8) + String(files).padStart(8);
      say(route.padEnd(24) + size);
    }
  } finally {
    await browser.close();
    await product.stop();
  }
}

await runProgram(import.meta.url, printSizes);
