import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { build, buildFolder, buildIsStale } from "../setup/build.mjs";
import { setUpBrowser } from "../setup/browser.mjs";
import { Refusal, root, runProgram, say } from "../program.mjs";
import { startTemporaryProduct } from "../../test/support/temporary-product.mjs";
import { DEMO_PASSWORD, KNOWN_HOLDER } from "../product.mjs";

const limitsFile = join(root, "scripts/checks/size.json");
const ALLOWANCE_PERCENT = 2;
const QUIET_MS = 1_000;
const RECORD_WITHIN_MS = 60_000;

/** Who opens a screen: what a role may do decides which islands its browser gets. */
const roleFor = {
  enrol: "newcomer",
  kyc: "compliance",
  onboarding: "compliance",
  accounts: "support",
  movements: "finance",
  wallets: "finance",
};

const leadsOn = new Set(["/settings"]);

const readBuilt = (path) => readFileSync(join(buildFolder(), path), "utf8");

const pages = () =>
  Object.entries(JSON.parse(readBuilt("app-path-routes-manifest.json"))).filter(
    ([file, route]) => file.endsWith("/page") && !route.startsWith("/_") && !leadsOn.has(route),
  );

const kB = (bytes) => Math.ceil(bytes / 100) / 10;

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

const gzipped = (body) => gzipSync(body, { level: 6 }).length;

function builtScripts() {
  const { rootMainFiles } = JSON.parse(readBuilt("build-manifest.json"));
  return pages().map(([file, route]) => {
    const text = readBuilt(`server/app${file}_client-reference-manifest.js`);
    const { entryJSFiles } = JSON.parse(text.slice(text.indexOf("] = {") + 4).replace(/;\s*$/, ""));
    const own = Object.entries(entryJSFiles).filter(([name]) => !name.endsWith("/global-error"));
    const files = new Set([...rootMainFiles, ...own.flatMap(([, names]) => names)]);
    return { route, js: kB(sum([...files].map((name) => gzipped(readBuilt(name))))) };
  });
}

export function heavier(weights, limits) {
  return weights.flatMap(({ route, ...weight }) =>
    Object.entries(weight)
      .filter(
        ([kind, size]) => size > (limits[route]?.[kind] ?? Number.POSITIVE_INFINITY) * (1 + ALLOWANCE_PERCENT / 100),
      )
      .map(
        ([kind, size]) => `${route} has ${size} kB of ${kind}; at most ${limits[route][kind]} are kept in size.json.`,
      ),
  );
}

function screens() {
  return pages()
    .map(([, route]) => route)
    .toSorted((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
}

const NEWCOMER = { email: "newcomer@retaguarda.example", password: "uma frase que ninguém adivinha" };

function addNewcomer(dataDir) {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "", BANK_BASE_URL: "", TENANTS_FILE: "" };
  const asFinance = ["--name", "Clara Nunes", "--role", "finance", "--tenant", "all"];
  const program = ["--conditions=react-server", "scripts/launch.mjs", "ops/commands/staff.ts"];
  const command = [...program, "add", NEWCOMER.email, ...asFinance];
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: root, env, input: NEWCOMER.password });
  if (status !== 0) throw new Refusal(`The newcomer could not be added: ${String(stderr)}`);
}

const LANGUAGE = { locale: "pt-BR" };

/** Contexts with an empty cache, signed in as a role, as the newcomer or as nobody; each signs in once. */
export function visitors(browser, url) {
  const sessions = new Map();
  const signIn = async (role) => {
    const context = await browser.newContext(LANGUAGE);
    const { csrfToken } = await (await context.request.get(`${url}/api/auth/csrf`)).json();
    const who = role === "newcomer" ? NEWCOMER : { email: `${role}@retaguarda.demo`, password: DEMO_PASSWORD };
    const form = { csrfToken, ...who, json: "true" };
    const answer = await context.request.post(`${url}/api/auth/callback/credentials`, { form });
    if (!answer.ok()) throw new Refusal(`${form.email} could not sign in (${answer.status()}).`);
    return context.storageState();
  };
  return async (role) => {
    if (role && !sessions.has(role)) sessions.set(role, await signIn(role));
    return browser.newContext({ ...LANGUAGE, ...(role && { storageState: sessions.get(role) }) });
  };
}

async function measure(context, address) {
  const page = await context.newPage();
  const scripts = [];
  page.on("response", (response) => {
    if (new URL(response.url()).pathname.endsWith(".js")) scripts.push(response);
  });
  const answer = await page.goto(address, { waitUntil: "load" });
  const html = gzipped(await answer.body());
  for (let seen = -1; seen !== scripts.length; await pause(QUIET_MS)) seen = scripts.length;
  if (!answer.ok() || page.url() !== address) throw new Refusal(`${address} did not open (${answer.status()}).`);
  const weights = new Map();
  for (const script of scripts) weights.set(script.url(), gzipped(await script.body()));
  await context.close();
  return { js: kB(sum([...weights.values()])), html: kB(html), files: weights.size };
}

export async function findRecord(context, url, list) {
  const page = await context.newPage();
  await page.goto(url + list);
  if (list === "/accounts") {
    await page.locator("input[name=query]").fill(KNOWN_HOLDER.cpf);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${url}${list}/*`, { timeout: RECORD_WITHIN_MS });
  } else {
    const link = page.locator(`main tbody a[href^="${list}/"]`).first();
    try {
      await link.waitFor({ timeout: RECORD_WITHIN_MS });
    } catch {
      return context.close().then(() => null);
    }
    await page.goto(url + (await link.getAttribute("href")));
  }
  const address = page.url();
  await context.close();
  return address;
}

/** The distinct scripts that a browser with an empty cache gets until the screen is quiet, and its HTML, gzipped at level 6. */
async function* measureScreens(browser, url) {
  const visit = visitors(browser, url);
  for (const route of screens()) {
    const list = route.replace(/\/\[.*/, "");
    const isRecord = route.includes("[");
    const role = route === "/sign-in" ? undefined : (roleFor[route.split("/")[1]] ?? "admin");
    // What lies beneath a record is weighed from the build alone: no list leads to it.
    const isBeneath = route.includes("]/");
    const address = isBeneath ? null : await (isRecord ? findRecord(await visit(role), url, list) : url + route);
    if (address === null) yield { route, js: null };
    else yield { route, ...(await measure(await visit(role), address)) };
  }
}

function keep(weights, limits) {
  const lighter = weights.map(({ route, ...weight }) => {
    const least = Object.entries(weight).map(([kind, size]) => [kind, Math.min(size, limits[route]?.[kind] ?? size)]);
    return [route, { ...limits[route], ...Object.fromEntries(least) }];
  });
  writeFileSync(limitsFile, `${JSON.stringify({ ...limits, ...Object.fromEntries(lighter) }, null, 2)}\n`);
}

function judge(weights) {
  const limits = JSON.parse(readFileSync(limitsFile, "utf8"));
  if (process.argv.includes("--keep")) keep(weights, limits);
  const worse = heavier(weights, limits);
  if (worse.length > 0) throw new Refusal(worse.join("\n"));
}

/** `--built`: from the build alone, without a browser. `--keep`: writes down what got lighter. */
async function printSizes() {
  if (process.argv.includes("--built")) return judge(builtScripts());
  if (buildIsStale()) await build();
  const { chromium } = await import("playwright");
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: await setUpBrowser(), args: asRoot });
  const product = await startTemporaryProduct();
  addNewcomer(product.dataDir);
  say("HTML and first-load JavaScript of each screen, gzip level 6, 1 kB = 1000 bytes\n");
  say(`${"screen".padEnd(24)}${"HTML kB".padStart(9)}${"JS kB".padStart(9)}${"files".padStart(8)}`);
  const weights = [];
  try {
    for await (const { route, js, html, files } of measureScreens(browser, product.url)) {
      if (js === null) say(`${route.padEnd(24)}  no record`);
      else {
        weights.push({ route, js, html });
        say(route.padEnd(24) + html.toFixed(1).padStart(9) + js.toFixed(1).padStart(9) + String(files).padStart(8));
      }
    }
  } finally {
    await browser.close();
    await product.stop();
  }
  return judge(weights);
}

await runProgram(import.meta.url, printSizes);
