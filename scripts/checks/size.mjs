import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { join, sep } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { build, buildFolder, buildIsStale } from "../setup/build.mjs";
import { Refusal, root, runProgram, say } from "../program.mjs";
import { startTemporaryProduct } from "../../test/support/temporary-product.mjs";
import { DEMO_PASSWORD } from "../product.mjs";

const limitsFile = join(root, "scripts/checks/size.json");

/** In percent of what is kept: names, times and counts of the demo differ from one start to the next. */
const ALLOWANCES = { js: 2, html: 5, nodes: 5, words: 5 };
const UNITS = { js: "kB of JavaScript", html: "kB of HTML", nodes: "nodes", words: "kB of words" };

/** The role for each screen, as permissions decide which islands its browser gets. */
const ROLES = {
  kyc: "compliance",
  onboarding: "compliance",
  suspicions: "compliance",
  accounts: "support",
  transfers: "support",
  movements: "finance",
  wallets: "finance",
  coins: "finance",
  deposits: "finance",
  position: "finance",
  paid: "finance",
};

/** Without anybody signed in. */
const ENTRY = new Set(["/sign-in", "/invite", "/password"]);

const ENTRIES_OF_A_PAGE = 50;

/** Which of a list's records is weighed; the first one otherwise. */
const isWeighed = (route, html) =>
  route !== "/accounts/[ref]" || html.split("data-transaction=").length > ENTRIES_OF_A_PAGE;

const readLimits = () => JSON.parse(readFileSync(limitsFile, "utf8"));

const readBuilt = (path) => readFileSync(join(buildFolder(), path), "utf8");

/** The address of every page, as its folder says it. */
export const screens = (folder = join(root, "app")) =>
  readdirSync(folder, { recursive: true })
    .map((path) => path.split(sep))
    .filter((path) => path.at(-1) === "page.tsx")
    .map(
      (path) =>
        `/${path
          .slice(0, -1)
          .filter((part) => !part.startsWith("("))
          .join("/")}`,
    )
    .toSorted();

const pages = () =>
  Object.entries(JSON.parse(readBuilt("app-path-routes-manifest.json"))).filter(
    ([file, route]) => file.endsWith("/page") && !route.startsWith("/_"),
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

/** What is heavier than kept, and what nothing is kept of. */
export function heavier(weights, limits) {
  return weights.flatMap(({ route, ...weight }) => {
    const kept = limits[route];
    if (kept === undefined) return [`${route} has no line in size.json; npm run size -- --keep writes one.`];
    return Object.entries(weight)
      .filter(([kind, size]) => size > (kept[kind] ?? Number.POSITIVE_INFINITY) * (1 + ALLOWANCES[kind] / 100))
      .map(([kind, size]) => `${route} has ${size} ${UNITS[kind]}; at most ${kept[kind]} are kept in size.json.`);
  });
}

/** How many elements a browser makes of it, once each part that came late stands in the place kept for it. */
export const nodesOf = (html) =>
  (
    html
      .replaceAll(/<!--\$\?--><template id="B:[^"]*"><\/template>.*?<!--\/\$-->/gs, "")
      .replaceAll(/(<script\b[^>]*>).*?<\/script>/gs, "$1")
      .replaceAll(/<div hidden id="S:[^"]*">|<template\b[^>]*>/g, "")
      .match(/<[a-z]/g) ?? []
  ).length;

const cookiesOf = (answer) => answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);

async function signIn(url, role) {
  const csrf = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = await csrf.json();
  const body = new URLSearchParams({
    csrfToken,
    email: `${role}@retaguarda.demo`,
    password: DEMO_PASSWORD,
    json: "true",
  });
  const headers = { cookie: cookiesOf(csrf).join("; ") };
  const entered = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers,
    body,
  });
  return [...cookiesOf(entered), "locale=pt-BR"].join("; ");
}

/** As a browser of today is sent it. */
async function readPage(address, cookie) {
  const headers = { cookie, "accept-encoding": "br" };
  const answer = await new Promise((resolve, reject) => get(address, { headers }, resolve).once("error", reject));
  const sent = await buffer(answer);
  const isWhole = answer.statusCode === 200;
  return isWhole ? { sent, html: brotliDecompressSync(sent).toString() } : null;
}

const WORD_FILE = /\/api\/words\/[\w-]+\/[\w-]+/g;

async function readWords(url, html) {
  const paths = [...new Set(html.match(WORD_FILE))];
  const files = await Promise.all(paths.map((path) => readPage(url + path, "")));
  return sum(files.map(({ sent }) => sent.length));
}

const pathOf = (href) => href.replace(/[?#].*/, "");

/** The pages that one leads to by its links. */
function* linkedFrom(html, route) {
  const shape = new RegExp(`^${route.replaceAll(/\[[^\]]+\]/g, "[^/]+")}$`);
  const named = new Set(screens());
  const hrefs = [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href]) => pathOf(href));
  for (const path of new Set(hrefs)) if (shape.test(path) && !named.has(path)) yield path;
}

/** Undefined where the demo has no such page. */
async function openScreen(url, route, cookie) {
  if (!route.includes("[")) return readPage(url + route, cookie);
  const [list, below] = [route.replace(/\/\[.*/, ""), route.replace(/.*\]/, "")];
  const listed = await readPage(url + list, cookie);
  if (listed === null) return null;
  for (const path of linkedFrom(listed.html, route.slice(0, route.length - below.length))) {
    const page = await readPage(url + path + below, cookie);
    if (page !== null && isWeighed(route, page.html)) return page;
  }
  return null;
}

/** HTML and nodes of each screen that the demo can show to its role. */
async function* readScreens(url) {
  const sessions = new Map();
  for (const [, route] of pages()) {
    const role = ROLES[route.split("/")[1]] ?? "admin";
    if (!sessions.has(role)) sessions.set(role, await signIn(url, role));
    const page = await openScreen(url, route, ENTRY.has(route) ? "locale=pt-BR" : sessions.get(role));
    if (page === null) continue;
    yield { route, html: kB(page.sent.length), nodes: nodesOf(page.html), words: kB(await readWords(url, page.html)) };
  }
}

function keep(weights, limits) {
  const lighter = weights.map(({ route, ...weight }) => {
    const least = Object.entries(weight).map(([kind, size]) => [kind, Math.min(size, limits[route]?.[kind] ?? size)]);
    return [route, { ...limits[route], ...Object.fromEntries(least) }];
  });
  const kept = Object.fromEntries(lighter.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(limitsFile, `${JSON.stringify(kept, null, 2)}\n`);
}

function judge(weights) {
  if (process.argv.includes("--keep")) keep(weights, readLimits());
  const worse = heavier(weights, readLimits());
  if (worse.length > 0) throw new Refusal(worse.join("\n"));
}

const line = (cells) => cells.map((cell) => String(cell ?? "").padStart(9)).join("");

/** `--built`: JavaScript from the build alone. `--keep`: stores smaller figures, and those of new screens, as the limits. */
async function printSizes() {
  if (process.argv.includes("--built")) return judge(builtScripts());
  if (buildIsStale()) await build();
  const product = await startTemporaryProduct();
  const shown = new Map();
  try {
    for await (const { route, ...weight } of readScreens(product.url)) shown.set(route, weight);
  } finally {
    await product.stop();
  }
  const weights = builtScripts().map((one) => ({ ...one, ...shown.get(one.route) }));
  say("HTML as sent (Brotli), its nodes, the sentences beside it (Brotli, kept by the browser), and first-load");
  say("JavaScript (gzip level 6) of each screen; 1 kB = 1000 bytes\n");
  say("screen".padEnd(26) + line(["HTML kB", "nodes", "words kB", "JS kB"]));
  for (const { route, js, html, nodes, words } of weights) {
    say(route.padEnd(26) + line([html, nodes, words, js.toFixed(1)]));
  }
  judge(weights);
}

await runProgram(import.meta.url, printSizes);
