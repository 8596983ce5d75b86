import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, buildFolder, buildIsStale } from "../setup/build.mjs";
import { Refusal, root, runProgram, say } from "../program.mjs";
import { startTemporaryProduct } from "../../test/support/temporary-product.mjs";
import { DEMO_PASSWORD } from "../product.mjs";

const limitsFile = join(root, "scripts/checks/size.json");
const ALLOWANCE_PERCENT = 2;

/** The role for each screen, as permissions decide which islands its browser gets. */
const roleFor = {
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

/** The HTML of each screen with its own URL, for its role. */
async function* readHtml(url) {
  for (const route of pages()
    .map(([, one]) => one)
    .filter((one) => !one.includes("["))) {
    const role = roleFor[route.split("/")[1]] ?? "admin";
    const cookie = route === "/sign-in" ? "" : await signIn(url, role);
    const answer = await fetch(url + route, { headers: { cookie }, redirect: "manual" });
    if (answer.status === 200) yield { route, html: kB(gzipped(Buffer.from(await answer.arrayBuffer()))) };
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

/** `--built`: JavaScript from the build alone. `--keep`: stores smaller figures as the new limits. */
async function printSizes() {
  if (process.argv.includes("--built")) return judge(builtScripts());
  if (buildIsStale()) await build();
  const product = await startTemporaryProduct();
  const html = new Map();
  try {
    for await (const { route, html: size } of readHtml(product.url)) html.set(route, size);
  } finally {
    await product.stop();
  }
  const weights = builtScripts().map((one) => ({ ...one, ...(html.has(one.route) && { html: html.get(one.route) }) }));
  say("HTML and first-load JavaScript of each screen, gzip level 6, 1 kB = 1000 bytes\n");
  say(`${"screen".padEnd(24)}${"HTML kB".padStart(9)}${"JS kB".padStart(9)}`);
  for (const { route, js, html: size } of weights)
    say(route.padEnd(24) + String(size ?? "").padStart(9) + js.toFixed(1).padStart(9));
  judge(weights);
}

await runProgram(import.meta.url, printSizes);
