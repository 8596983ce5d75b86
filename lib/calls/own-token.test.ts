import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { provider } from "@/lib/provider/client";
import { listSubscriptions } from "@/lib/provider/operations";
import { AppError } from "@/lib/errors/app-error";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { checkToken, revokeOwnToken } from "./own-token";

let db: Db;
let staffId = "";
let asked: string[] = [];
let bearers: string[] = [];
let instead: ((request: Request) => Response | Promise<Response> | null) | null = null;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "admin");
  [asked, bearers, instead] = [[], [], null];
  await givenService(
    (request) => {
      asked.push(new URL(request.url).pathname.split("/").at(-1) ?? "");
      bearers.push(request.headers.get("token") ?? request.headers.get("authorization")?.slice("Bearer ".length) ?? "");
    },
    (serve) => async (request) => (await instead?.(request)) ?? serve(request),
  );
});

const admin = () => actorOf("admin", staffId, "settings:manage");
const callProvider = () => provider.get(actorOf("admin", staffId, "webhooks:read"), listSubscriptions);
const recorded = async () => (await db.select().from(auditEvent)).map(({ code, outcome }) => `${code} ${outcome}`);
const answering = (name: string, answer: (request: Request) => Response | Promise<Response>) => (request: Request) =>
  request.url.endsWith(name) ? answer(request) : null;

const quoting = ({ headers }: Request) =>
  Response.json({ message: `Invalid token ${headers.get("token")}` }, { status: 401 });

describe("the access token of the console", () => {
  it("shows the token's current state without showing the token", async () => {
    await callProvider();
    const token = bearers.at(-1) ?? "";
    const checked = await checkToken(admin());
    expect(checked).toMatchObject({ state: "active", clientId: "aurora", reason: "" });
    expect(Date.parse(checked.expiresAt) - Date.parse(checked.issuedAt)).toBe(3_600_000);
    expect(bearers.at(-1)).toBe(token);
    expect(JSON.stringify([checked, await db.select().from(auditEvent)])).not.toContain(token);
    expect(await recorded()).toEqual(["token.check DONE"]);
  });

  it("shows no token before the first call, and requests none", async () => {
    expect(await checkToken(admin())).toMatchObject({ state: "none" });
    expect(asked).toEqual([]);
  });

  it("revokes the token, audited, and the next call requests a new one", async () => {
    await callProvider();
    const token = bearers.at(-1);
    expect(await revokeOwnToken(admin())).toEqual({ wasHeld: true });
    expect(await checkToken(admin())).toMatchObject({ state: "none" });
    asked = [];
    await callProvider();
    expect(asked).toEqual(["access-token", "webhooks"]);
    expect(bearers.at(-1)).not.toBe(token);
    expect(await recorded()).toEqual(["token.revoke INTENT", "token.revoke DONE", "token.check DONE"]);
  });

  it("keeps the token when the revocation's answer is lost, audited as unknown", async () => {
    await callProvider();
    instead = answering("/revoke", () => Promise.reject(new AppError("unavailable", { mayHaveExecuted: true })));
    await expect(revokeOwnToken(admin())).rejects.toMatchObject({ kind: "unavailable" });
    expect(await recorded()).toEqual(["token.revoke INTENT", "token.revoke UNKNOWN"]);
    expect(await checkToken(admin())).toMatchObject({ state: "active" });
  });

  it("hides the token even when the provider quotes it in a refusal", async () => {
    await callProvider();
    instead = answering("/introspect", quoting);
    await expect(checkToken(admin())).rejects.toMatchObject({
      kind: "forbidden",
      details: { code: "own-token-refused", providerMessage: "Invalid token •••" },
    });
  });

  it.each([
    ["checked", checkToken, "introspect"],
    ["revoked", revokeOwnToken, "revoke"],
  ] as const)("allows the token to be %s once in ten seconds, for any number of requests", async (_, ask, path) => {
    await callProvider();
    const people = await Promise.all(Array.from({ length: 10 }, () => givenStaff(db, "admin")));
    const answers = await Promise.allSettled(people.map((id) => ask(actorOf("admin", id, "settings:manage"))));
    const refused = answers.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(9);
    for (const one of refused)
      expect(one).toMatchObject({ reason: { kind: "rate-limited", details: { code: "token-asked" } } });
    expect(asked.filter((name) => name === path)).toHaveLength(1);
    await db.execute(sql`alter table audit_event disable trigger all`);
    await db.update(auditEvent).set({ at: sql`${auditEvent.at} - interval '10 seconds'` });
    await db.execute(sql`alter table audit_event enable trigger all`);
    await ask(admin());
  });

  it("shows the token's state when another provider says less", async () => {
    await callProvider();
    instead = answering("/introspect", () =>
      Response.json({ active: "true", issued_at: "2026-03-10 09:00:00-0300", exp: "1773147600" }, { status: 201 }),
    );
    expect(await checkToken(admin())).toMatchObject({
      state: "active",
      clientId: "",
      issuedAt: "2026-03-10T12:00:00.000Z",
      expiresAt: "2026-03-10T13:00:00.000Z",
    });
  });
});
