import { encode } from "next-auth/jwt";
import { cookies } from "next/headers";
import { tenantSetting } from "@/lib/db/tables/settings";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { addStaff } from "@/lib/staff/records";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { staffMembership, staffSession } from "@/lib/db/tables/auth";
import {
  authOptions,
  carrySession,
  getAddressRefusal,
  getOpenSession,
  getSession,
  hasOwnReturnAddress,
  readEnding,
} from "./session";
import { endSession } from "./sessions";
import { openSession } from "@/test/support/auth";

vi.mock("next/headers", () => ({
  cookies: vi.fn<typeof cookies>(),
  headers: async () => new Headers({ "x-retaguarda-client": "198.51.100.7" }),
}));

const PLAIN = "retaguarda-session";
const OVER_HTTPS = "__Host-retaguarda-session";

let db: Db;
let secret = "";
let sessionId = "";
beforeEach(async () => {
  secret = givenEnv().authSecret;
  db = await givenStore();
  const person = { email: "ana@aurora.example", name: "Ana", roles: ["auditor" as const], password: "a long password" };
  await addStaff(db, { ...person, tenants: ["aurora"] });
  sessionId = (await openSession(person.email, person.password))?.sessionId ?? "";
});

/** A browser that sends only these cookies. */
function sends(sent: Record<string, string>): void {
  const get = (name: string) => (sent[name] === undefined ? undefined : { name, value: sent[name] });
  vi.mocked(cookies).mockResolvedValue(Object.assign(Object.create(null), { get }));
}

describe("the person of a request", () => {
  it("reads the person from the cookie's session row", async () => {
    sends({ [PLAIN]: await encode({ token: { sid: sessionId }, secret }) });
    expect(await getSession()).toMatchObject({ name: "Ana", roles: ["auditor"], tenant: "aurora" });
  });

  it("reads no person once the session has ended, even with a good cookie", async () => {
    sends({ [PLAIN]: await encode({ token: { sid: sessionId }, secret }) });
    await endSession(sessionId);
    expect(await getSession()).toBeNull();
  });

  it("reads no person without a cookie, or with a forged one", async () => {
    const forged = await encode({ token: { sid: sessionId }, secret: "another secret, as long as ours is" });
    const without = await encode({ token: { sub: sessionId }, secret });
    const ended = await encode({ token: { sid: sessionId }, secret, maxAge: -3600 });
    for (const cookie of ["", "junk", sessionId, forged, without, ended, `${forged}.${forged}`]) {
      sends({ [PLAIN]: cookie });
      expect(await getSession()).toBeNull();
    }
    sends({});
    expect(await getSession()).toBeNull();
  });

  it("reads no person until the role's second factor is set up", async () => {
    sends({ [PLAIN]: await encode({ token: { sid: sessionId }, secret }) });
    await db.update(staffMembership).set({ roles: ["finance"] });
    expect(await getSession()).toBeNull();
    expect(await getOpenSession()).toMatchObject({ name: "Ana", mustEnrol: true });
    await db.update(staffSession).set({ secondFactor: true });
    expect(await getSession()).toMatchObject({ roles: ["finance"] });
  });

  it("reads no person from an address that the tenant's list lacks, and says so", async () => {
    sends({ [PLAIN]: await encode({ token: { sid: sessionId }, secret }) });
    expect(await readEnding()).not.toBe("address");
    const list = { tenant: "aurora", name: "allowed-addresses", actor: "command", createdAt: new Date() } as const;
    await db.insert(tenantSetting).values({ ...list, version: 1, value: ["203.0.113.0/24"] });
    expect(await getSession()).toBeNull();
    expect(await getOpenSession()).toBeNull();
    expect(await getAddressRefusal()).toMatchObject({ tenant: "aurora", address: "198.51.100.7" });
    expect(await readEnding()).toBe("address");
    await db.insert(tenantSetting).values({ ...list, version: 2, value: ["198.51.100.0/24"] });
    expect(await getSession()).toMatchObject({ name: "Ana" });
  });

  it("reads the session from a __Host- cookie over https", async () => {
    givenEnv({ publicUrl: new URL("https://desk.example") });
    const cookie = await encode({ token: { sid: sessionId }, secret });
    sends({ [PLAIN]: cookie });
    expect(await getSession()).toBeNull();
    sends({ [OVER_HTTPS]: cookie });
    expect(await getSession()).not.toBeNull();
  });
});

describe("the session's cookie", () => {
  it("resets the cookie when the session gets a new id", async () => {
    const set = vi.fn<(name: string, value: string, options: object) => void>();
    vi.mocked(cookies).mockResolvedValue(Object.assign(Object.create(null), { set }));
    await carrySession(sessionId);
    const [[name, value, options] = []] = set.mock.calls;
    expect([name, options]).toEqual([
      PLAIN,
      { httpOnly: true, sameSite: "lax", path: "/", secure: false, maxAge: 43_200 },
    ]);
    sends({ [PLAIN]: value ?? "" });
    expect(await getSession()).toMatchObject({ name: "Ana" });
  });

  it("sets the cookie HttpOnly, SameSite and, over https, Secure", () => {
    expect(authOptions().cookies?.sessionToken).toEqual({
      name: PLAIN,
      options: { httpOnly: true, sameSite: "lax", path: "/", secure: false },
    });
    givenEnv({ publicUrl: new URL("https://desk.example") });
    expect(authOptions().cookies?.sessionToken).toMatchObject({ name: OVER_HTTPS, options: { secure: true } });
  });
});

/** A browser with this planted return URL. */
function keeps(address: string | undefined) {
  const stored = new Map(address === undefined ? [] : [["retaguarda-callback", address]]);
  const get = (name: string) => (stored.has(name) ? { name, value: stored.get(name) } : undefined);
  const jar = { get, delete: (name: string) => stored.delete(name) };
  vi.mocked(cookies).mockResolvedValue(Object.assign(Object.create(null), jar));
  return stored;
}

describe("an address to return to", () => {
  it.each([
    ["/kyc", true],
    ["http://localhost:3000/kyc?view=mine", true],
    [null, true],
    ["kyc", false],
    ["//evil.example", false],
    ["https://evil.example/", false],
    ["http://localhost:3000.evil.example/", false],
    ["javascript:alert(1)", false],
    ["http://[", false],
    ["some text\nwith a line", false],
  ])("decides whether the return address %j is ours: %s", async (address, isOurs) => {
    keeps(undefined);
    expect(await hasOwnReturnAddress(address)).toBe(isOurs);
  });

  it("removes a return cookie planted in the browser and keeps ours", async () => {
    const planted = keeps("http://[");
    expect(await hasOwnReturnAddress(null)).toBe(true);
    expect(planted.size).toBe(0);
    const own = keeps("http://localhost:3000/kyc");
    await hasOwnReturnAddress(null);
    expect(own.size).toBe(1);
  });
});
