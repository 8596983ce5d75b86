import { existsSync } from "node:fs";
import { join } from "node:path";
import { findInPath, isExecutable, Refusal, root, run, say } from "../program.mjs";

/** Without window, tabs and address bar: a third less than Chromium. */
const DEBIANS_SHELL = "chromium-headless-shell";
const SHELLS = [DEBIANS_SHELL, "chrome-headless-shell"];
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const STALLED_MS = 60_000;

export const NO_BROWSER =
  "No Chromium was found and none could be installed. Run `sudo apt-get install chromium` or " +
  "`npx playwright install --with-deps chromium`, or set CHROMIUM_PATH to one.";

async function playwrightsOwn() {
  if (!existsSync(join(root, "node_modules/playwright/package.json"))) return [];
  const { chromium } = await import("playwright");
  const path = chromium.executablePath();
  const shell = path.replace(
    /chromium-(\d+)\/chrome-([\w-]+)\/.*$/,
    "chromium_headless_shell-$1/chrome-headless-shell-$2/chrome-headless-shell",
  );
  return [shell, path];
}

/** The file may be a stub, or a system library may be missing. */
async function runs(path) {
  if (!isExecutable(path)) return false;
  const { ok, output } = await run(path, ["--version"], { quiet: true, timeoutMs: 20_000 });
  return ok && /Chrom/i.test(output);
}

const inPath = (names) => names.map((name) => findInPath(name));

async function firstThatRuns(paths) {
  for (const path of paths) if (path && (await runs(path))) return path;
  return undefined;
}

/** Undefined without one; a CHROMIUM_PATH that does not run is refused. */
export async function findBrowser() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (await runs(chosen)) return chosen;
    throw new Refusal(`CHROMIUM_PATH names ${chosen}, which is not a Chromium that runs.`);
  }
  return firstThatRuns([...inPath(SHELLS), ...(await playwrightsOwn()), ...inPath(NAMES)]);
}

async function download() {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), STALLED_MS);
  const onLine = (line) => void (/\d+%/.test(line) && timer.refresh());
  const cli = join(root, "node_modules/playwright/cli.js");
  const { ok } = await run(process.execPath, [cli, "install", "chromium"], { onLine, signal: stalled.signal });
  clearTimeout(timer);
  return ok;
}

const apt = async (args, timeoutMs) =>
  (await run("apt-get", args, { quiet: true, timeoutMs, env: { DEBIAN_FRONTEND: "noninteractive" } })).ok;

const install = (name, timeoutMs = 600_000) => apt(["install", "-y", "--no-install-recommends", name], timeoutMs);

const canUseApt = () => process.getuid?.() === 0 && findInPath("apt-get") !== undefined;

/** One already there, else Playwright's, else Debian's. Returns its path. */
export async function setUpBrowser() {
  const lacksShell = !process.env.CHROMIUM_PATH && !inPath(SHELLS).some(Boolean);
  // The shell is optional, so a failed installation is ignored.
  if (lacksShell && canUseApt() && findInPath("chromium")) await install(DEBIANS_SHELL, 60_000);
  const present = await findBrowser();
  if (present) return present;

  say("No browser yet: downloading Playwright's Chromium.");
  if (!(await download())) say("The download did not succeed.");
  const downloaded = await findBrowser();
  if (downloaded) return downloaded;

  if (canUseApt()) {
    say("Installing Debian's Chromium with apt-get.");
    await apt(["update"], 600_000);
    if (!(await install(DEBIANS_SHELL))) await install("chromium");
    const installed = await findBrowser();
    if (installed) return installed;
  }
  throw new Refusal(NO_BROWSER);
}
