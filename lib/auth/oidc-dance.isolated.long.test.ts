import NextAuth from "next-auth";
import { createTranslator } from "next-intl";
import { cookies, headers } from "next/headers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { log } from "@/lib/log/log";
import { sendMail } from "@/lib/mail/send";
import { env } from "@/lib/settings/env";
import type { Oidc } from "@/lib/settings/oidc-settings";
import { addStaff } from "@/lib/staff/records";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import english from "@/messages/en.json";
import { startTemporaryOidc } from "@/test/support/temporary-oidc.mjs";
import { authOptions, getOpenSession } from "./session";
import { staffSession } from "@/lib/db/tables/auth";

vi.mock("next/server", () => ({ after: (work: () => Promise<unknown>) => work() }));
vi.mock("next-intl/server", () => ({
  getLocale: async () => "en",
  getTranslations: async (namespace: "linkMail") => createTranslator({ locale: "en", messages: english, namespace }),
}));
vi.mock("@/lib/mail/send", () => ({ sendMail: vi.fn<typeof sendMail>() }));
vi.mock("next/headers", () => ({ cookies: vi.fn<typeof cookies>(), headers: vi.fn<typeof headers>() }));

const HERE = "http://localhost:3000";
const PASSWORD = "seven quiet lanterns";
const CALLBACK = `${HERE}/api/auth/callback/sso`;
const ACCOUNTS = {
  ana: { claims: { email: "ana@aurora.example", email_verified: true, name: "Ana Prado", roles: ["desk"] } },
  rui: { claims: { email: "rui@aurora.example", email_verified: true, name: "Rui Lima", roles: ["another-team"] } },
};

let db: Db;
let provider: Awaited<ReturnType<typeof startTemporaryOidc>>;
/** This browser's cookies, ours and the provider's. */
let ours = new Map<string, string>();
let theirs = new Map<string, string>();

type Algorithm = Oidc["tokenAlgorithm"];
type Given = { hasThinTokens?: boolean; publicUrl?: URL; algorithm?: Algorithm; expected?: Algorithm };

async function given({
  hasThinTokens = false,
  publicUrl = new URL(HERE),
  algorithm = "RS256",
  expected: tokenAlgorithm = algorithm,
}: Given = {}): Promise<void> {
  provider = await startTemporaryOidc({ accounts: ACCOUNTS, redirectUri: CALLBACK, hasThinTokens, algorithm });
  const { issuer, clientId, clientSecret } = provider;
  const roleMap = { desk: ["support" as const] };
  givenEnv({
    publicUrl,
    oidc: {
      issuer,
      clientId,
      clientSecret,
      roleMap,
      rolesClaim: "roles",
      trustsMfa: "amr",
      trustsEmail: false,
      tokenAlgorithm,
    },
  });
}

beforeEach(async () => {
  vi.stubEnv("NEXTAUTH_URL", HERE);
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  ours = new Map();
  theirs = new Map();
  givenEnv();
  db = await givenStore();
  const get = (name: string) => (ours.has(name) ? { name, value: ours.get(name) ?? "" } : undefined);
  const set = (name: string, value: string) => ours.set(name, value);
  vi.mocked(cookies).mockResolvedValue(Object.assign(Object.create(null), { get, set }));
  vi.mocked(headers).mockResolvedValue(new Headers());
});
afterEach(() => provider.stop());

type Asked = { method?: "GET" | "POST"; query?: Record<string, string>; body?: Record<string, string> };
const Token = z.object({ csrfToken: z.string() });

const Cookies = z.array(z.string()).catch([]);

/** A response object for next-auth. */
function createAnswer() {
  const written = new Map<string, unknown>();
  let body: unknown;
  const answer = {
    status: () => answer,
    getHeader: (name: string) => written.get(name),
    setHeader: (name: string, value: unknown) => {
      written.set(name, value);
      return answer;
    },
    send: (sent: unknown) => {
      body = sent;
    },
    json: (sent: unknown) => {
      body = sent;
    },
    end: () => undefined,
  };
  return { answer, written, read: () => body };
}

/** Calls next-auth and keeps the answer's cookies. */
async function ask(path: string, { method = "GET", query = {}, body = {} }: Asked = {}) {
  const handle: (request: object, answer: object) => Promise<void> = NextAuth(authOptions());
  const { answer, written, read } = createAnswer();
  const request = { method, body, headers: {}, query: { ...query, nextauth: path.split("/") } };
  await handle({ ...request, cookies: Object.fromEntries(ours) }, answer);
  for (const set of Cookies.parse(written.get("Set-Cookie"))) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    ours.set(name, decodeURIComponent(value));
  }
  return { body: read(), redirect: z.string().catch("").parse(written.get("Location")) };
}

async function addressOfProvider(callbackUrl = "/"): Promise<URL> {
  const { csrfToken } = Token.parse((await ask("csrf")).body);
  const { redirect } = await ask("signin/sso", { method: "POST", body: { csrfToken, callbackUrl } });
  return new URL(redirect);
}

/** Follows the provider's redirects until a page, or back to us. */
async function follow(address: URL, form?: Record<string, string>): Promise<URL> {
  const cookie = [...theirs].map(([name, value]) => `${name}=${value}`).join("; ");
  const sent = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
  const answer = await fetch(address, { ...sent, redirect: "manual", headers: { cookie } });
  for (const set of answer.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    theirs.set(name, value);
  }
  const next = answer.headers.get("location");
  if (next === null) return address;
  const to = new URL(next, address);
  return to.origin === HERE ? to : follow(to);
}

/** Signs in there as `account` and grants access; returns the URL back to us. */
async function backFromProvider(account: string, address?: URL): Promise<URL> {
  const signIn = await follow(address ?? (await addressOfProvider()));
  return follow(await follow(signIn, { account }), { answer: "yes" });
}

async function comeBack(back: URL): Promise<string> {
  expect(back.href.startsWith(CALLBACK)).toBe(true);
  const { redirect } = await ask("callback/sso", { query: Object.fromEntries(back.searchParams) });
  return redirect;
}
/** Where a person new to the provider arrives. */
async function cameBackTo(account: string, callbackUrl: string): Promise<string> {
  theirs = new Map();
  return comeBack(await backFromProvider(account, await addressOfProvider(callbackUrl)));
}
const sessions = () => db.select().from(staffSession);
const endings = async () => (await sessions()).map(({ endReason }) => endReason ?? "living").toSorted();

describe("single sign-on with a real OpenID provider", () => {
  it.each([false, true])("signs somebody in by code, PKCE, state and nonce (thin ID tokens: %s)", async (isThin) => {
    await given({ hasThinTokens: isThin });
    const address = await addressOfProvider();
    expect(address.searchParams.get("code_challenge_method")).toBe("S256");
    expect(address.searchParams.get("redirect_uri")).toBe(CALLBACK);
    for (const name of ["state", "nonce", "code_challenge"]) expect(address.searchParams.get(name)).toMatch(/^.{40,}/);
    expect(await comeBack(await backFromProvider("ana", address))).toBe(`${HERE}/`);
    expect(await getOpenSession()).toMatchObject({ name: "Ana Prado", roles: ["support"], isProven: true });
  });

  it.each(["PS256", "ES256"] as const)("accepts tokens signed by %s when the settings say so", async (algorithm) => {
    await given({ algorithm });
    expect(await cameBackTo("ana", "/")).toBe(`${HERE}/`);
  });

  it("refuses a token signed otherwise than the settings say", async () => {
    await given({ algorithm: "ES256", expected: "RS256" });
    expect(await cameBackTo("ana", "/")).toContain("error=OAuthCallback");
    expect(await sessions()).toEqual([]);
  });

  it("ends the browser's previous session at sign-in, even another person's", async () => {
    await given();
    const rui = { email: "rui@aurora.example", name: "Rui Lima", roles: ["support" as const], password: PASSWORD };
    await addStaff(db, { ...rui, tenants: ["aurora"] });
    const byPassword = async () => {
      const { csrfToken } = Token.parse((await ask("csrf")).body);
      const body = { csrfToken, callbackUrl: "/", email: rui.email, password: PASSWORD };
      await ask("callback/credentials", { method: "POST", body });
    };
    await byPassword();
    await byPassword();
    expect(await getOpenSession()).toMatchObject({ name: "Rui Lima" });
    expect(await endings()).toEqual(["living", "signed-in-again"]);
    await comeBack(await backFromProvider("ana"));
    expect(await getOpenSession()).toMatchObject({ name: "Ana Prado" });
    expect(await endings()).toEqual(["living", "signed-in-again", "signed-in-again"]);
  });

  it("mails one notice when a local account is linked to the company's", async () => {
    await given();
    const ana = { email: "ana@aurora.example", name: "Ana", roles: ["support" as const], password: PASSWORD };
    await addStaff(db, { ...ana, tenants: ["aurora"] });
    await cameBackTo("ana", "/");
    await cameBackTo("ana", "/");
    expect(vi.mocked(sendMail).mock.calls).toMatchObject([
      [{ to: { name: "Ana", address: ana.email }, subject: english.linkMail.subject }],
    ]);
  });

  it("leads to the requested screen and nowhere else", async () => {
    await given();
    const asked = "/sign-in?next=%2Fkyc%3Fstatus%3DPENDING";
    expect(await cameBackTo("ana", asked)).toBe(`${HERE}/kyc?status=PENDING`);
    for (const elsewhere of ["https://evil.example/", "/sign-in?next=//evil.example", "/.//evil.example"])
      expect(await cameBackTo("ana", elsewhere)).toBe(`${HERE}/`);
    expect(await cameBackTo("rui", asked)).toBe(`${HERE}/sign-in?error=sso-unmapped&next=%2Fkyc%3Fstatus%3DPENDING`);
  });

  it("refuses a person without a role here, and says so", async () => {
    await given();
    expect(await comeBack(await backFromProvider("rui"))).toBe(`${HERE}/sign-in?error=sso-unmapped`);
    expect(await sessions()).toEqual([]);
  });

  it.each([
    ["another state", (back: URL) => back.searchParams.set("state", "x".repeat(43))],
    ["no state", (back: URL) => back.searchParams.delete("state")],
    ["another code", (back: URL) => back.searchParams.set("code", "x".repeat(43))],
    ["another provider's name", (back: URL) => back.searchParams.set("iss", "https://evil.example")],
    ["an error instead of a code", (back: URL) => back.searchParams.set("error", "access_denied")],
  ])("refuses a return with %s", async (_, forge) => {
    await given();
    const back = await backFromProvider("ana");
    forge(back);
    expect(await comeBack(back)).toMatch(/\/error\?error=(OAuthCallback|Callback)$/);
    expect(await sessions()).toEqual([]);
  });

  it("refuses an issuer that differs from the settings, even at the right address", async () => {
    await given();
    const { oidc } = env();
    if (oidc === null) throw new Error("no single sign-on is set");
    givenEnv({ oidc: { ...oidc, issuer: oidc.issuer.replace("127.0.0.1", "localhost") } });
    expect(await comeBack(await backFromProvider("ana"))).toMatch(/error=OAuthCallback$/);
    expect(await sessions()).toEqual([]);
  });

  it("sets only __Host- cookies over https while the person is at the provider", async () => {
    await given({ publicUrl: new URL("https://desk.example") });
    await addressOfProvider();
    expect([...ours.keys()].filter((name) => !name.startsWith("__Host-"))).toEqual([]);
    expect(ours.size).toBe(5);
  });

  it("refuses a return in a browser that did not start the sign-in", async () => {
    await given();
    const back = await backFromProvider("ana");
    ours = new Map();
    expect(await comeBack(back)).toMatch(/error=OAuthCallback$/);
    expect(await sessions()).toEqual([]);
  });

  it("refuses an ID token with another sign-in's nonce", async () => {
    await given();
    const address = await addressOfProvider();
    address.searchParams.set("nonce", "x".repeat(43));
    expect(await comeBack(await backFromProvider("ana", address))).toMatch(/error=OAuthCallback$/);
    expect(await sessions()).toEqual([]);
  });

  it("accepts each sign-in code once", async () => {
    await given();
    const back = await backFromProvider("ana");
    const before = new Map(ours);
    await comeBack(back);
    ours = before;
    expect(await comeBack(back)).toMatch(/error=OAuthCallback$/);
    expect(await sessions()).toHaveLength(1);
  });

  it("says when the company's provider cannot be reached", async () => {
    await given();
    await provider.stop();
    expect((await addressOfProvider()).href).toBe(`${HERE}/api/auth/error?error=OAuthSignin`);
  });
});
