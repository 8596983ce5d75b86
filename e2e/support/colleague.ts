import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import type { Browser, Page } from "@playwright/test";
import { generateSync } from "otplib";
import { note, noteShown } from "./canary";
import { expect, type Role, signInByRequest } from "./story";
import { type Language, type Words, wordsOf } from "./words";

export type Colleague = { email: string; password: string };

type Home = { home: Record<string, string> };

/** A person outside the demo, added as `npm run staff` does while the console runs. */
export async function addColleague({ home }: Home, ...roles: Role[]): Promise<Colleague> {
  const email = `${randomBytes(6).toString("hex")}@aurora.example`;
  const password = `uma frase ${randomBytes(9).toString("base64url")}`;
  note("password", password);
  const person = ["--name", "Clara Nunes", "--role", roles.join(","), "--tenant", "all"];
  const command = ["scripts/launch.mjs", "ops/commands/staff.ts", "add", email, ...person];
  const child = spawn(process.execPath, ["--conditions=react-server", ...command], {
    env: { ...process.env, DATABASE_URL: "", BANK_BASE_URL: "", TENANTS_FILE: "", ...home },
    stdio: ["pipe", "ignore", "pipe"],
  });
  child.stdin.end(password);
  const [complaint, code] = await Promise.all([text(child.stderr), new Promise((ended) => child.once("close", ended))]);
  expect(code, complaint).toBe(0);
  return { email, password };
}

export async function signIn(page: Page, say: Words, { email, password }: Colleague): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel(say("signIn.email")).fill(email);
  await page.getByLabel(say("signIn.password")).fill(password);
  await page.getByRole("button", { name: say("signIn.submit"), exact: true }).click();
}

type Visit = Home & { url: string; language?: Language };

/** The session of a new person at every company, with the authenticator app that critical roles need. */
export async function openColleagueSession(
  browser: Browser,
  { url, language = "pt-BR", ...product }: Visit,
  ...roles: Role[]
) {
  const colleague = await addColleague(product, ...roles);
  const say = wordsOf(language);
  const context = await browser.newContext({ baseURL: url });
  await context.addCookies([{ name: "locale", value: language, url }]);
  await signInByRequest(context, { url, ...colleague });
  const page = await context.newPage();
  await page.goto("/enrol");
  await enrol(page, say);
  await goOn(page, say);
  await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
  const state = await context.storageState();
  await context.close();
  return state;
}

/** The authenticator's code for now, or that many steps later. */
export const codeOf = (secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Date.now() / 1000 + 30 * steps });

/** Sets the app up on the open screen, up to the recovery codes; returns its secret, the first code and those codes. */
export async function enrol(page: Page, say: Words): Promise<{ secret: string; first: string; codes: string[] }> {
  const begin = page.getByRole("button", { name: say("factors.begin") });
  const shown = page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  // The page is empty before its script loads, and its button busy while it asks.
  await expect(async () => {
    if (await begin.isVisible()) await begin.click({ timeout: 1_000 });
    await expect(shown).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  const secret = ((await shown.textContent()) ?? "").replaceAll(" ", "");
  const first = codeOf(secret);
  await page.getByLabel(say("factors.firstCode")).fill(first);
  await page.getByRole("button", { name: say("factors.confirm"), exact: true }).click();
  const list = page.getByRole("region", { name: say("factors.codesTitle") });
  await expect(list.getByRole("listitem")).toHaveCount(10);
  const codes = await list.getByRole("listitem").allTextContents();
  noteShown("second factor", secret);
  noteShown("recovery code", ...codes);
  note("recovery code", ...codes.map((code) => code.replaceAll("-", "")));
  return { secret, first, codes };
}

export async function goOn(page: Page, say: Words): Promise<void> {
  await page.getByLabel(say("factors.kept")).check();
  await page.getByRole("button", { name: say("factors.goOn") }).click();
}
