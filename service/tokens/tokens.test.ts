import { SignJWT } from "jose";
import { beforeEach, expect, test } from "vitest";
import { Introspection, Revocation, Token } from "@/lib/contract/auth";
import { AURORA, BOREAL, type Harness, readReply, startService } from "@/test/support/service/harness";
import type { Tenant } from "@/service/tenants/load-tenants";

const OAUTH = "/v1/authentication/oauth";
const HOUR_MS = 3_600_000;

const basic = ({ clientId, clientSecret }: Pick<Tenant, "clientId" | "clientSecret">) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;

let service: Harness;
beforeEach(async () => {
  service = await startService();
});

const post = async (name: string, headers: Record<string, string>, at = service) =>
  readReply(await at.app.request(`${OAUTH}/${name}`, { method: "POST", headers }));

async function newToken(tenant = AURORA): Promise<string> {
  return Token.parse((await post("access-token", { Authorization: basic(tenant) })).body).access_token;
}

const introspect = async (token: string, at = service) =>
  post("introspect", { Authorization: basic(AURORA), token }, at);
const revoke = (token: string) => post("revoke", { Authorization: basic(AURORA), token });
const useToken = async (token: string, at = service) =>
  (await at.send("GET", "/v1/webhooks", { headers: { Authorization: `Bearer ${token}` } })).status;

test("issues a token as a JWT for one hour, with 201", async () => {
  const { status, body } = await post("access-token", { Authorization: basic(AURORA) });
  expect(status).toBe(201);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    token_type: "Bearer",
    expires_in: 3_600,
    issued_at: new Date(service.clock.now()).toISOString(),
    scope: expect.any(String),
  });
});

test("introspects every fact of an active token", async () => {
  const { status, body } = await introspect(await newToken());
  const iat = Math.floor(service.clock.now() / 1_000);
  expect(status).toBe(201);
  expect(Introspection.parse(body)).toEqual({
    active: true,
    client_id: "aurora",
    token_type: "Bearer",
    iat,
    exp: iat + 3_600,
    issued_at: new Date(iat * 1_000).toISOString(),
    expires_at: new Date((iat + 3_600) * 1_000).toISOString(),
    scope: expect.any(String),
  });
});

test("accepts a token until the second it expires", async () => {
  const token = await newToken();
  await service.advance(HOUR_MS - 1);
  expect(await useToken(token)).toBe(200);
  await service.advance(1);
  expect(await useToken(token)).toBe(401);
  expect(await introspect(token)).toMatchObject({ status: 201, body: { active: false, reason: "expired" } });
});

test("ends a revoked token at once, reports it revoked, and keeps another", async () => {
  const ended = await newToken();
  const other = await newToken();
  const { status, body } = await revoke(ended);
  expect(status).toBe(200);
  expect(Revocation.parse(body)).toEqual({ body: expect.any(String), when: service.clock.now() });
  expect(await useToken(ended)).toBe(401);
  expect(await introspect(ended)).toMatchObject({ status: 201, body: { active: false, reason: "revoked" } });
  expect(await useToken(other)).toBe(200);
});

test("keeps tokens and revocations across a restart", async () => {
  const living = await newToken();
  const ended = await newToken();
  await revoke(ended);
  const next = await service.restart();
  expect(await useToken(living, next)).toBe(200);
  expect(await useToken(ended, next)).toBe(401);
  expect(await introspect(ended, next)).toMatchObject({ body: { active: false, reason: "revoked" } });
});

test("keeps a token revoked that was revoked twice", async () => {
  const token = await newToken();
  await revoke(token);
  expect((await revoke(token)).status).toBe(200);
  expect(await introspect(token)).toMatchObject({ body: { active: false, reason: "revoked" } });
});

const forge = (claims: Record<string, unknown>) =>
  new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode("x".repeat(32)));
const unsigned = (claims: Record<string, unknown>) =>
  [{ alg: "none" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".") + ".";

test("calls a token not signed here for this client invalid everywhere", async () => {
  const now = Math.floor(service.clock.now() / 1_000);
  const claims = { iss: "retaguarda-service", sub: "aurora", jti: crypto.randomUUID(), iat: now, exp: now + 3_600 };
  const [head, payload, signature = ""] = (await newToken()).split(".");
  const tampered = [head, payload, signature.replace(/^./, (first) => (first === "A" ? "B" : "A"))].join(".");
  for (const token of ["garbage", await forge(claims), unsigned(claims), tampered, await newToken(BOREAL)]) {
    expect(await introspect(token)).toMatchObject({ status: 401, body: { message: "Invalid token" } });
    expect(await revoke(token)).toMatchObject({ status: 401, body: { message: "Invalid token" } });
    expect(await useToken(token)).toBe(401);
  }
});

test.each(["access-token", "introspect", "revoke"])("%s says what is wrong with the credentials", async (name) => {
  const wrong: [Record<string, string>, string][] = [
    [{}, "You must send an Authorization header"],
    [{ Authorization: `Bearer ${await newToken()}` }, "Expected a Basic token"],
    [{ Authorization: "Basic" }, "Expected a Basic token"],
    [{ Authorization: basic({ ...AURORA, clientSecret: "wrong" }) }, "Invalid client credentials"],
    [{ Authorization: basic({ ...AURORA, clientId: "nobody", clientSecret: "" }) }, "Invalid client credentials"],
    [{ Authorization: "Basic bm9jb2xvbg==" }, "Invalid client credentials"],
  ];
  for (const [headers, message] of wrong) {
    expect(await post(name, { token: "t", ...headers })).toMatchObject({ status: 401, body: { message } });
  }
});

test.each(["introspect", "revoke"])("%s reads the token only from the header of that name", async (name) => {
  const token = await newToken();
  const reply = await post(`${name}?token=${token}`, { Authorization: basic(AURORA) });
  expect(reply).toMatchObject({ status: 400, body: { message: "You must send the bearer token on header" } });
});

test("accepts only POST at the token endpoints", async () => {
  const response = await service.app.request(`${OAUTH}/access-token`, { headers: { Authorization: basic(AURORA) } });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
});

test("renews tokens without a limit", async () => {
  service = await startService({ environment: { SERVICE_RATE_LIMIT_PER_MINUTE: "1" } });
  for (let count = 0; count < 5; count += 1) expect(await newToken()).toBeTruthy();
});
