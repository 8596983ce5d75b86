import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Token } from "@/lib/contract/auth";
import { AURORA, type Harness, startService } from "@/test/support/service/harness";
import { ask, onSocket, person } from "@/test/support/service/conformance";

const PERSON = "/v1/kyc/person";
const LIST = "/v1/kyc/list";
const JSON_TYPE = { "Content-Type": "application/json" };

let service: Harness;
let socket: Awaited<ReturnType<typeof onSocket>>;
let identity: Record<string, string>;

// No test depends on existing data, so one service serves all.
beforeAll(async () => {
  service = await startService();
  socket = await onSocket(service);
  const basic = Buffer.from(`${AURORA.clientId}:${AURORA.clientSecret}`).toString("base64");
  const path = "/v1/authentication/oauth/access-token";
  const { body } = await ask(service, ["POST", path], { Authorization: `Basic ${basic}` });
  identity = { AUTHORIZATION: `Bearer ${Token.parse(body).access_token}`, "X-Client-ID": "aurora" };
});
afterAll(() => socket.close());

const bytes = (text: string) => Buffer.from(text);
const post = (text: string, headers: Record<string, string> = JSON_TYPE) =>
  socket.exchange(["POST", PERSON], { headers: { ...identity, ...headers }, chunks: [bytes(text)] });

describe("over a socket", () => {
  test("accepts header names and the scheme in any case", async () => {
    expect((await socket.exchange(["GET", LIST], { headers: identity })).status).toBe(200);
    const { AUTHORIZATION: bearer = "" } = identity;
    const headers = { authorization: bearer.replace("Bearer", "bEARER"), "x-CLIENT-id": "aurora" };
    expect((await socket.exchange(["GET", LIST], { headers })).status).toBe(200);
  });

  test("reads a chunked body up to 1 MiB and not a byte further", async () => {
    const chunks = Array.from({ length: 16 }, () => Buffer.alloc(65_536, " "));
    const headers = { ...identity, ...JSON_TYPE };
    const whole = await socket.exchange(["POST", PERSON], { headers, chunks });
    expect([whole.status, whole.text]).toEqual([400, '{"message":"The body is not valid JSON"}']);
    const over = await socket.exchange(["POST", PERSON], { headers, chunks: [...chunks, bytes(" ")] });
    expect([over.status, JSON.parse(over.text)]).toEqual([413, { message: expect.any(String) }]);
  });

  test("answers HEAD as GET, without the body", async () => {
    const { status, text } = await socket.exchange(["HEAD", LIST], { headers: identity });
    expect([status, text]).toEqual([200, ""]);
    expect((await socket.exchange(["HEAD", PERSON], { headers: identity })).status).toBe(405);
  });

  test("answers an unknown path with 404 before authentication", async () => {
    for (const path of ["/v1/nothing", "/v1", "/v1/authentication/oauth/refresh", "/sandbox/nothing"])
      expect(await socket.exchange(["GET", path])).toMatchObject({
        status: 404,
        text: '{"message":"There is nothing at this path"}',
      });
  });

  test("survives a request broken off half-way", async () => {
    const log = service.app.service.log;
    const errors = vi.spyOn(log, "error");
    const debugs = vi.spyOn(log, "debug");
    await socket.breakOff(["POST", PERSON], { ...identity, ...JSON_TYPE, "Content-Length": "100" });
    const brokenOff = [expect.anything(), "request broken off"];
    await vi.waitFor(() => expect(debugs.mock.calls).toContainEqual(brokenOff));
    expect(errors).not.toHaveBeenCalled();
    expect((await socket.exchange(["GET", LIST], { headers: identity })).status).toBe(200);
  });

  test("closes the connection without an answer for a planned cut", async () => {
    await service.control("POST", "/sandbox/faults", { method: "GET", path: LIST, drop: true, times: 1 });
    await expect(socket.exchange(["GET", LIST], { headers: identity })).rejects.toThrow("socket hang up");
    expect((await socket.exchange(["GET", LIST], { headers: identity })).status).toBe(200);
  });
});

describe("a body", () => {
  test.each([
    ["without a type of content", {}],
    ["of a type with parameters", { "Content-Type": "application/json;charset=utf-8" }],
    ["after a byte order mark", JSON_TYPE, "\uFEFF"],
  ])("%s is read as JSON", async (_, headers, prefix = "") => {
    expect((await post(`${prefix}${JSON.stringify(person)}`, headers)).status).toBe(200);
  });

  test.each([
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
    "application/jsonp",
  ])("answers 400 to a body of the type %s", async (type) => {
    expect((await post(JSON.stringify(person), { "Content-Type": type })).status).toBe(400);
  });

  test.each(["{} {}", "{'name':'x'}", '{"name":NaN}', '{"name":01}', "{/**/}", '{"name":"x",}', "undefined"])(
    "answers 400 for %s, which is no JSON",
    async (text) => {
      expect(await post(text)).toMatchObject({ status: 400, text: '{"message":"The body is not valid JSON"}' });
    },
  );

  test.each(["null", "[]", "1", '"text"', "true"])(
    "answers 400 to a body that is %s and no object, with that reason",
    async (text) => {
      expect(await post(text)).toMatchObject({ status: 400, text: '{"message":"body: must be an object"}' });
    },
  );

  test("accepts the tenant by application, without a header for it", async () => {
    const { AUTHORIZATION = "" } = identity;
    const body = bytes(JSON.stringify({ ...person, application: "aurora" }));
    const answer = await socket.exchange(["POST", PERSON], {
      headers: { AUTHORIZATION, ...JSON_TYPE },
      chunks: [body],
    });
    expect(answer.status).toBe(200);
  });

  test("reports a missing tenant before a broken body", async () => {
    const answer = await socket.exchange(["POST", PERSON], { headers: JSON_TYPE, chunks: [bytes("{")] });
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([400, { error: "MISSING_CLIENT_ID" }]);
  });
});
