import { beforeEach, describe, expect, test } from "vitest";
import { Introspection, Token } from "@/lib/contract/auth";
import type { Tenant } from "@/service/tenants/load-tenants";
import { AURORA, BOREAL, type Harness, startService } from "@/test/support/service/harness";
import { ask } from "@/test/support/service/conformance";

const ODD: Tenant = { ...AURORA, clientId: "odd-one", clientSecret: "a:b::ção €+/?=" };
const BARRED: Tenant = { ...AURORA, clientId: "barred", billingStatus: "SUSPENDED", allowedOperations: [] };
const ACCESS_TOKEN = "/v1/authentication/oauth/access-token";
const INTROSPECT = "/v1/authentication/oauth/introspect";
const REVOKE = "/v1/authentication/oauth/revoke";

const encode = ({ clientId, clientSecret }: Pick<Tenant, "clientId" | "clientSecret">) =>
  Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
const basic = (tenant: Tenant) => ({ Authorization: `Basic ${encode(tenant)}` });

let service: Harness;
beforeEach(async () => {
  service = await startService({ tenants: [AURORA, BOREAL, ODD, BARRED] });
});

async function newToken(tenant: Tenant): Promise<string> {
  return Token.parse((await ask(service, ["POST", ACCESS_TOKEN], basic(tenant))).body).access_token;
}

describe("Basic credentials", () => {
  test("accepts colons, letters of any language and every base64 character", async () => {
    expect((await ask(service, ["POST", ACCESS_TOKEN], basic(ODD))).status).toBe(201);
    const cut = { ...ODD, clientSecret: "a" };
    expect((await ask(service, ["POST", ACCESS_TOKEN], basic(cut))).status).toBe(401);
  });

  test("accepts URL-safe base64 without padding, with the scheme in any case", async () => {
    const text = Buffer.from(encode(ODD), "base64").toString("base64url");
    for (const Authorization of [`Basic ${text}`, `basic ${text}`, `BASIC ${text}`])
      expect((await ask(service, ["POST", ACCESS_TOKEN], { Authorization })).status).toBe(201);
  });

  test("refuses one client's credentials with another's secret", async () => {
    const mixed = { ...AURORA, clientSecret: BOREAL.clientSecret };
    expect((await ask(service, ["POST", ACCESS_TOKEN], basic(mixed))).status).toBe(401);
  });

  test("reads credentials from the header alone, never from a body", async () => {
    const { clientId: client_id, clientSecret: client_secret } = AURORA;
    const body = JSON.stringify({ grant_type: "client_credentials", client_id, client_secret });
    const response = await service.app.request(ACCESS_TOKEN, { method: "POST", body });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ message: "You must send an Authorization header" });
  });

  test("needs only credentials at token endpoints, no client id, billing or rights", async () => {
    const token = await newToken(BARRED);
    for (const path of [INTROSPECT, REVOKE])
      expect((await ask(service, ["POST", path], { ...basic(BARRED), token })).status).toBeLessThan(300);
  });
});

test("stores no token in clear and repeats none", async () => {
  const first = await ask(service, ["POST", ACCESS_TOKEN], basic(AURORA));
  expect(first.headers.get("cache-control")).toBe("no-store");
  expect(first.headers.get("content-type")).toMatch(/^application\/json/);
  expect(Token.parse(first.body).access_token).not.toBe(await newToken(AURORA));
});

test("names a token's client as its subject, with times a lifetime apart", async () => {
  const [, payload = ""] = (await newToken(AURORA)).split(".");
  const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
  const iat = Math.floor(service.clock.now() / 1_000);
  expect(claims).toMatchObject({ sub: "aurora", iat, exp: iat + 3_600 });
});

describe("the header named token", () => {
  test("accepts a token header with or without the scheme, in any case", async () => {
    const token = await newToken(AURORA);
    for (const header of [{ token }, { token: `Bearer ${token}` }, { TOKEN: `bearer ${token}` }]) {
      const { status, body } = await ask(service, ["POST", INTROSPECT], { ...basic(AURORA), ...header });
      expect([status, Introspection.parse(body).active]).toEqual([201, true]);
    }
  });

  test.each([INTROSPECT, REVOKE])("treats an empty token header as absent at %s", async (path) => {
    const reply = await ask(service, ["POST", path], { ...basic(AURORA), token: "" });
    expect(reply).toMatchObject({ status: 400, body: { message: "You must send the bearer token on header" } });
  });

  test.each([INTROSPECT, REVOKE])("checks the token header after the credentials at %s", async (path) => {
    const reply = await ask(service, ["POST", path], { Authorization: "Basic bm9ib2R5Om5vdGhpbmc=" });
    expect(reply).toMatchObject({ status: 401, body: { message: "Invalid client credentials" } });
  });
});

const fieldsOf = (body: unknown) => Object.keys(Introspection.parse(body)).toSorted();

describe("a token that has ended", () => {
  test("reports an ended token with active and reason only", async () => {
    const revoked = await newToken(AURORA);
    const expired = await newToken(AURORA);
    await ask(service, ["POST", REVOKE], { ...basic(AURORA), token: revoked });
    await service.advance(3_600_000);
    for (const token of [revoked, expired]) {
      const { body } = await ask(service, ["POST", INTROSPECT], { ...basic(AURORA), token });
      expect(fieldsOf(body)).toEqual(["active", "reason"]);
    }
  });

  test("ends a token by the control route's clock, too", async () => {
    const token = await newToken(AURORA);
    await service.control("POST", "/sandbox/clock", { advanceSeconds: 3_600 });
    const headers = { Authorization: `Bearer ${token}`, "x-client-id": "aurora" };
    const reply = await ask(service, ["GET", "/v1/webhooks"], headers);
    expect(reply).toMatchObject({ status: 401, body: { message: "Invalid token" } });
  });

  test("revokes an expired token, and then reports it as revoked", async () => {
    const token = await newToken(AURORA);
    await service.advance(3_600_000);
    expect((await ask(service, ["POST", REVOKE], { ...basic(AURORA), token })).status).toBe(200);
    const { body } = await ask(service, ["POST", INTROSPECT], { ...basic(AURORA), token });
    expect(body).toEqual({ active: false, reason: "revoked" });
  });
});

test("does not let a client revoke another's token", async () => {
  const token = await newToken(BOREAL);
  expect((await ask(service, ["POST", REVOKE], { ...basic(AURORA), token })).status).toBe(401);
  const { body } = await ask(service, ["POST", INTROSPECT], { ...basic(BOREAL), token });
  expect(Introspection.parse(body).active).toBe(true);
});
