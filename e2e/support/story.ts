import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  expect,
  type Page,
  test as base,
} from "@playwright/test";
import { z } from "zod";
import { STEADY } from "./pace";
import { listenForViolations } from "./policy";
import { startProduct } from "./product";
import { type Role, ROLES } from "./roles";
import { createProvider, type Provider } from "./provider";
import { type Tenant, tenantsFile } from "./tenants-file";
import { witnessed } from "./witness";
import { type Language, languageOf, type Words, wordsOf } from "./words";

export { expect };

export { type Role, ROLES };

/** Made by the product for its demo people (README: demo sign-ins). */
export const DEMO_PASSWORD = "retaguarda-demo";
export const demoEmail = (role: Role) => `${role}@retaguarda.demo`;

type Product = {
  url: string;
  serviceUrl: string;
  controlToken: string;
  dataDir: string;
  /** Settings with which a command belongs to this product. */
  home: Record<string, string>;
  log: string;
  /** The tenants file that the product did not make itself. */
  tenants?: string;
};
type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

const Tenants = z.object({ tenants: z.array(z.object({ clientId: z.string(), clientSecret: z.string() })).min(1) });

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the global set-up did not run`);
  return value;
}

function sharedProduct(): Product {
  return {
    url: `http://localhost:${required("E2E_PORT")}`,
    serviceUrl: required("E2E_SERVICE_URL"),
    controlToken: required("E2E_CONTROL_TOKEN"),
    dataDir: required("E2E_DATA_DIR"),
    home: z.record(z.string(), z.string()).parse(JSON.parse(required("E2E_HOME"))),
    log: required("E2E_LOG"),
  };
}

/** The product's provider, called with the credentials of one tenant, by default the first. */
export function providerOf(product: Product, place = 0): Provider {
  const file = product.tenants ?? join(product.dataDir, "service/tenants.json");
  const tenant = Tenants.parse(JSON.parse(readFileSync(file, "utf8"))).tenants[place];
  if (!tenant) throw new Error(`${file} names no tenant at ${place}`);
  return createProvider({ ...product, ...tenant });
}

/** `email`, `password`: of another person than the first demo one with that role. */
type Visit = { url: string; role: Role; language?: Language; email?: string; password?: string };

/** Signs in as the form does. */
export async function signInByRequest(
  { request }: BrowserContext,
  { url, email, password }: { url: string; email: string; password: string },
): Promise<void> {
  const { csrfToken } = z
    .object({ csrfToken: z.string() })
    .parse(await (await request.get(`${url}/api/auth/csrf`)).json());
  const form = { csrfToken, email, password, json: "true" };
  const answer = await request.post(`${url}/api/auth/callback/credentials`, { form });
  expect(answer.ok(), `${email} signs in`).toBe(true);
}

/** Opens a session as the sign-in form does and returns its cookies. */
export async function openSession(
  browser: Browser,
  { url, role, language, email = demoEmail(role), password = DEMO_PASSWORD }: Visit,
): Promise<State> {
  const context = await browser.newContext();
  if (language) await context.addCookies([{ name: "locale", value: language, url }]);
  await signInByRequest(context, { url, email, password });
  const state = await context.storageState();
  await context.close();
  return state;
}

/** `scripts`: false to read only the server's HTML, at less than half the cost. */
type Preferences = { language?: Language; theme?: "light" | "dark"; width?: number; scripts?: boolean };

type Story = {
  language: Language;
  say: Words;
  /** A window signed in as that role, in the story's language. */
  signedInAs: (role: Role, preferences?: Preferences) => Promise<Page>;
  /** A request context of that role in the story's language, without a window. */
  askingAs: (role: Role) => Promise<APIRequestContext>;
  /** A window of somebody not signed in. */
  stranger: Page;
  /**
   * Closes a story's windows, which would go on asking in the background, and its cases, which would fill the shared
   * queue's first page.
   */
  tidy: void;
};

export type Setting = {
  /** Settings of this file's or project's own product; null uses the shared one. */
  ownProduct: Record<string, string> | null;
  /** Tenant settings of such a product; null uses its demo tenant. */
  ownTenant: Partial<Tenant> | null;
  /** Further tenants beside that one. */
  moreTenants: Partial<Tenant>[];
  product: Product;
  provider: Provider;
  sessions: (role: Role) => Promise<State>;
};

export const test = base.extend<Story, Setting>({
  browser: [async ({ browser }, use) => use(witnessed(browser)), { scope: "worker" }],

  ownProduct: [null, { option: true, scope: "worker" }],

  ownTenant: [null, { option: true, scope: "worker" }],

  moreTenants: [[], { option: true, scope: "worker" }],

  product: [
    async ({ ownProduct, ownTenant, moreTenants }, use) => {
      if (ownProduct === null) return use(sharedProduct());
      const tenants = ownTenant && tenantsFile(ownTenant, ...moreTenants);
      const own = await startProduct({
        ...STEADY,
        ...ownProduct,
        ...(tenants && { SERVICE_TENANTS_FILE: tenants }),
      });
      await use({ ...own, ...(tenants && { tenants }) });
      await own.stop();
      if (tenants) rmSync(dirname(tenants), { recursive: true });
    },
    { scope: "worker", timeout: 120_000 },
  ],

  provider: [async ({ product }, use) => use(providerOf(product)), { scope: "worker" }],

  sessions: [
    async ({ browser, product }, use) => {
      const opened = new Map<Role, Promise<State>>();
      await use(async (role) => {
        const session = opened.get(role) ?? openSession(browser, { url: product.url, role });
        opened.set(role, session);
        return session;
      });
    },
    { scope: "worker" },
  ],

  baseURL: async ({ product }, use) => use(product.url),

  // oxlint-disable-next-line no-empty-pattern -- Playwright reads in the pattern what a fixture needs
  language: async ({}, use, { file }) => use(languageOf(file)),

  say: async ({ language }, use) => use(wordsOf(language)),

  signedInAs: async ({ browser, product, sessions, language, viewport }, use) => {
    const contexts: BrowserContext[] = [];
    const received: string[][] = [];
    await use(async (role, preferences = {}) => {
      const height = viewport?.height ?? 940;
      const context = await browser.newContext({
        storageState: await sessions(role),
        javaScriptEnabled: preferences.scripts ?? true,
        ...(preferences.width && { viewport: { width: preferences.width, height } }),
      });
      contexts.push(context);
      received.push(await listenForViolations(context));
      const url = product.url;
      await context.addCookies([
        { name: "locale", value: preferences.language ?? language, url },
        ...(preferences.theme ? [{ name: "theme", value: preferences.theme, url }] : []),
      ]);
      return context.newPage();
    });
    await Promise.all(contexts.map((context) => context.close()));
    expect(received.flat()).toEqual([]);
  },

  askingAs: async ({ playwright, product, sessions, language }, use) => {
    const contexts: APIRequestContext[] = [];
    const place = { domain: new URL(product.url).hostname, path: "/", expires: -1 };
    const locale = {
      name: "locale",
      value: language,
      ...place,
      httpOnly: false,
      secure: false,
      sameSite: "Lax",
    } as const;
    await use(async (role) => {
      const { cookies, origins } = await sessions(role);
      const storageState = { cookies: [...cookies.filter(({ name }) => name !== "locale"), locale], origins };
      const context = await playwright.request.newContext({ baseURL: product.url, storageState });
      contexts.push(context);
      return context;
    });
    await Promise.all(contexts.map((context) => context.dispose()));
  },

  tidy: [
    async ({ browser, ownProduct, provider }, use, { project }) => {
      await use();
      await Promise.all(browser.contexts().map((context) => context.close()));
      if (ownProduct === null || project.name !== "shared") await provider.closeCases();
    },
    { auto: true },
  ],

  context: async ({ context }, use) => {
    const received = await listenForViolations(context);
    await use(context);
    expect(received).toEqual([]);
  },

  stranger: async ({ context, product, language, page }, use) => {
    await context.addCookies([{ name: "locale", value: language, url: product.url }]);
    await use(page);
  },
});
