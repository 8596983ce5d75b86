import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { GATEWAY_ERRORS } from "@/lib/contract/errors";
import { WEBHOOK_EVENTS } from "@/lib/contract/webhook-events";
import { WEBHOOK_HEADERS } from "@/lib/contract/webhooks";
import { operations } from "@/service/gateway/operations";
import { AUTHENTICATION_PATHS } from "@/service/http/authentication";
import { routes } from "@/service/http/routes";
import { startService } from "@/test/support/service/harness";
import {
  assertDescribed,
  described,
  description,
  faultOfAnswer,
  faultOfBody,
  resolve,
} from "@/test/support/service/openapi";

const Example = z.looseObject({ value: z.unknown() });
const Media = z.looseObject({ schema: z.looseObject({}), examples: z.record(z.string(), Example).default({}) });
const Body = z.looseObject({ content: z.looseObject({ "application/json": Media }) });

const parametersOf = (name: string) =>
  (described.get(name)?.parameters ?? []).map((part) => resolve(z.looseObject({ name: z.string() }), part).name);

const statusesOf = (name: string) => Object.keys(described.get(name)?.responses ?? {}).map(Number);

describe("the description of the service", () => {
  test("has neither errors nor warnings under a public linter's recommended rules", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: JSON.stringify(description), config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  test("lists every route under /v1 and no other", () => {
    const answered = [
      ...AUTHENTICATION_PATHS.map((path) => `POST ${path}`),
      ...routes.map(({ operation }) => operation.name),
    ];
    expect([...described.keys()].toSorted()).toEqual(answered.toSorted());
    expect(answered).toHaveLength(new Set(answered).size);
  });

  test("lists each path's methods as the service reports them", async () => {
    const { app } = await startService();
    for (const [path, item] of Object.entries(description.paths)) {
      const methods = Object.keys(item).map((method) => method.toUpperCase());
      const { status, headers } = await app.request(path, { method: "DELETE" });
      expect([path, status, headers.get("allow")?.split(", ")]).toEqual([path, 405, methods.toSorted()]);
    }
  });

  test("names each operation once", () => {
    const names = [...described.values()].map(({ operationId }) => operationId);
    expect(names).toHaveLength(new Set(names).size);
    expect(names).toEqual(expect.arrayContaining(Object.keys(operations)));
  });

  test("states the gateway's requirements and its refusals", () => {
    for (const { operation } of routes) {
      const { name, isFinancial, isJudged, isKeyed, method } = operation;
      const statuses = statusesOf(name);
      expect(statuses).toEqual(expect.arrayContaining([200, 400, 401, 402, 403, 500]));
      expect([name, statuses.includes(429)]).toEqual([name, isFinancial]);
      expect([name, statuses.includes(202), statuses.includes(503)]).toEqual([name, isJudged, isJudged]);
      expect([name, statuses.includes(413)]).toEqual([name, method !== "GET"]);
      expect(parametersOf(name)).toContain("x-client-id");
      expect([name, parametersOf(name).includes("Idempotency-Key")]).toEqual([name, isKeyed]);
    }
  });

  test("lets the two transfers in reais carry an Idempotency-Key", () => {
    const keyed = routes.filter(({ operation }) => operation.isKeyed).map(({ operation }) => operation.path);
    expect(keyed.map((path) => path.split("/").at(-1))).toEqual([
      "generateInternalTransferRequest",
      "generateExternalTransferRequest",
    ]);
    expect(description.info).toMatchObject({ description: expect.stringMatching(/Crypto\s+transfers take none/) });
  });

  test("asks token endpoints for Basic credentials and the token", () => {
    for (const path of AUTHENTICATION_PATHS) {
      expect(described.get(`POST ${path}`)).toMatchObject({ security: [{ basic: [] }] });
      expect(parametersOf(`POST ${path}`)).toEqual(path.endsWith("access-token") ? [] : ["token"]);
    }
    expect(description.security).toEqual([{ bearer: [] }]);
  });

  test("names every gateway error", () => {
    const text = JSON.stringify(description);
    for (const error of GATEWAY_ERRORS) expect(text).toContain(`"${error}"`);
  });

  test("mentions a retry in seconds with each 429", () => {
    const headers = resolve(z.looseObject({ headers: z.looseObject({}) }), {
      $ref: "#/components/responses/RateLimited",
    });
    expect(headers).toHaveProperty(["headers", "Retry-After"]);
  });

  test("lists the four events with the three headers of a delivery", () => {
    expect(Object.keys(description.webhooks)).toEqual([...WEBHOOK_EVENTS]);
    const Event = z.looseObject({ post: z.looseObject({ parameters: z.array(z.looseObject({ name: z.string() })) }) });
    for (const item of Object.values(description.webhooks))
      expect(Event.parse(item).post.parameters.map(({ name }) => name)).toEqual(Object.values(WEBHOOK_HEADERS));
  });

  test("contains nothing of the control routes", () => {
    expect(JSON.stringify(description)).not.toContain("/sandbox");
  });
});

describe("every example", () => {
  const requests = [...described].flatMap(([name, { requestBody }]) => {
    if (!requestBody) return [];
    const { schema, examples } = Body.parse(requestBody).content["application/json"];
    return Object.entries(examples).map(([title, { value }]) => ({ name, title, schema, value }));
  });
  const Shared = z.record(z.string(), Body);
  const bodies = [
    ...[...described].flatMap(([name, { responses }]) =>
      Object.entries(responses).flatMap(([status, part]) =>
        part.$ref === undefined ? [[`${name} ${status}`, Body.parse(part)] as const] : [],
      ),
    ),
    ...Object.entries(Shared.parse(description.components["responses"])),
  ];
  const answers = bodies.flatMap(([name, { content }]) => {
    const { schema, examples } = content["application/json"];
    return Object.entries(examples).map(([title, { value }]) => ({ name, title, schema, value }));
  });

  test.each(requests)("validates and accepts a request's example: $name, $title", ({ name, schema, value }) => {
    expect(faultOfBody(schema, value)).toBe("");
    const operation = routes.find((route) => route.operation.name === name)?.operation;
    expect(operation?.input.safeParse(value)).toMatchObject({ success: true });
  });

  test.each(answers)("validates an answer's example: $name, $title", ({ schema, value }) => {
    expect(faultOfAnswer(schema, value)).toBe("");
  });

  test("has an example for each request and each answer", () => {
    const commands = [...described].filter(([, { requestBody }]) => requestBody).map(([name]) => name);
    expect(new Set(requests.map(({ name }) => name))).toEqual(new Set(commands));
    expect(new Set(answers.map(({ name }) => name))).toEqual(new Set(bodies.map(([name]) => name)));
  });
});

describe("the tests' harness", () => {
  const balance = { status: "SUCCESS", data: { accountId: "a", balance: 1.5, blockedBalance: 0 } };
  const query = "accountId=a&documentNumber=52998224725";
  const path = `/v1/bank-accounts/balance?${query}`;
  type Told = { at?: string; method?: string; status?: number; headers?: Record<string, string>; body?: unknown };
  const hold = ({ at = path, method = "GET", status = 200, headers = { "X-Request-Id": "1" }, body = balance }: Told) =>
    assertDescribed(at, { method }, new Response(JSON.stringify(body), { status, headers }));

  test("passes a conforming answer, and anything outside the operations", async () => {
    await expect(hold({})).resolves.toBeUndefined();
    await expect(hold({ at: "/v1/nothing", status: 404 })).resolves.toBeUndefined();
    await expect(hold({ method: "DELETE", status: 405 })).resolves.toBeUndefined();
  });

  test.each([
    ["a status", { status: 418 }, "418"],
    ["a field", { body: { ...balance, more: 1 } }, "/more is not described"],
    ["an absent field", { body: { status: "SUCCESS" } }, "'data'"],
    ["a number that is a text", { body: { ...balance, data: { ...balance.data, balance: "1.50" } } }, "must be number"],
    ["an absent header", { headers: {} }, "X-Request-Id"],
    ["a success without what is required", { at: "/v1/bank-accounts/balance?accountId=a" }, "documentNumber"],
    ["a success with what does not fit", { at: `${path}0` }, "pattern"],
  ])("refuses %s that the document does not have", async (_, changes, told) => {
    await expect(hold(changes)).rejects.toThrow(told);
  });

  test("refuses a value beyond those that the document lists", async () => {
    const entry = { transactionId: "t", type: "BOLETO", amount: 1, date: "", description: "", direction: "DEBIT" };
    const body = { status: "SUCCESS", data: { transactions: [entry], page: 1, totalPages: 1 } };
    const at = `/v1/bank-accounts/history?${query}&initialDate=2026-03-01&endDate=2026-03-31&limit=5`;
    await expect(hold({ at, body })).rejects.toThrow("x-extensible-enum");
  });
});
