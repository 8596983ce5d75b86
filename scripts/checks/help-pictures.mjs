import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright";
import { DEMO_PASSWORD, KNOWN_HOLDER } from "../product.mjs";
import { root, runProgram, say } from "../program.mjs";
import { setUpBrowser } from "../setup/browser.mjs";

/** Beside the menu; the size is `PICTURE` of `lib/help/view.ts`. */
const CLIP = { x: 228, y: 0, width: 1120, height: 660, scale: 1 };
const WINDOW = { width: CLIP.x + CLIP.width, height: 900 };
const QUALITY = 60;
const SETTLES_MS = 2000;

const firstRow = (path) => async (page) => {
  await page.locator(`main a[href^="${path}/"]:not([href$="/new"]):not([href$="/figures"])`).first().click();
  await page.waitForURL((at) => at.pathname.startsWith(`${path}/`));
};

async function lookUp(page) {
  await page.locator("main input").first().fill(KNOWN_HOLDER.cpf);
  await page.keyboard.press("Enter");
  await page.waitForURL((at) => /^\/accounts\/[\da-f-]{36}$/.test(at.pathname));
}

/** `lead`: what leads from the path to what is shown. */
const PICTURES = [
  { name: "kyc-queue", role: "compliance", path: "/kyc" },
  { name: "kyc-case", role: "compliance", path: "/kyc", lead: firstRow("/kyc") },
  { name: "onboarding", role: "compliance", path: "/onboarding" },
  { name: "accounts", role: "support", path: "/accounts" },
  { name: "account", role: "support", path: "/accounts", lead: lookUp },
  { name: "transfer-form", role: "support", path: "/transfers/new" },
  { name: "transfers", role: "support", path: "/transfers" },
  { name: "position", role: "finance", path: "/position" },
  { name: "movements", role: "finance", path: "/movements" },
  { name: "wallets", role: "finance", path: "/wallets" },
  { name: "approval", role: "approver", path: "/approvals", lead: firstRow("/approvals") },
  { name: "audit", role: "auditor", path: "/audit" },
  { name: "staff", role: "admin", path: "/staff" },
  { name: "webhooks", role: "admin", path: "/webhooks" },
  { name: "health", role: "admin", path: "/health" },
];

async function signIn(browser, url, { role, locale }) {
  const context = await browser.newContext({ viewport: WINDOW, colorScheme: "light", reducedMotion: "reduce" });
  await context.addCookies([
    { name: "locale", value: locale, url },
    { name: "theme", value: "light", url },
  ]);
  const { csrfToken } = await (await context.request.get(`${url}/api/auth/csrf`)).json();
  const form = { csrfToken, email: `${role}@retaguarda.demo`, password: DEMO_PASSWORD, json: "true" };
  await context.request.post(`${url}/api/auth/callback/credentials`, { form });
  return context.newPage();
}

async function take(page, path) {
  await page.waitForFunction(
    () => document.querySelector("main h1") && !document.querySelector("main [aria-busy=true]"),
  );
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(SETTLES_MS);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY, clip: CLIP });
  writeFileSync(path, Buffer.from(data, "base64"));
}

/** Takes the handbook's pictures from a running demo at PUBLIC_URL or PORT; names after `--` take these alone. */
async function takePictures() {
  const url = process.env.PUBLIC_URL || `http://localhost:${process.env.PORT || 3000}`;
  const wanted = process.argv.slice(2);
  const browser = await chromium.launch({ executablePath: await setUpBrowser(), args: ["--no-sandbox"] });
  try {
    for (const locale of ["pt-BR", "en"]) {
      const folder = join(root, "public/help", locale);
      if (wanted.length === 0) rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      const pages = new Map();
      for (const { name, role, path, lead } of PICTURES) {
        if (wanted.length > 0 && !wanted.includes(name)) continue;
        const page = pages.get(role) ?? (await signIn(browser, url, { role, locale }));
        pages.set(role, page);
        await page.goto(url + path);
        if (lead !== undefined) await lead(page);
        await take(page, join(folder, `${name}.webp`));
        say(`${locale} ${name}`);
      }
    }
  } finally {
    await browser.close();
  }
}

await runProgram(import.meta.url, takePictures);
