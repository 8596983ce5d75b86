import { expect, test } from "vitest";
import { AURORA, startService } from "@/service/testing";
import { askProvider } from "./ask-provider";
import { freePort } from "./temporary-product.mjs";

const baseUrl = "https://bank.example";
const tenant = { baseUrl, clientId: AURORA.clientId, clientSecret: AURORA.clientSecret };
const answering = (status: number, body = "{}") =>
  askProvider({ tenant, fetch: async () => new Response(body, { status }) });

test("a provider that knows the tenant is said to accept it, one that does not to refuse it", async () => {
  const service = await startService();
  const ask = (clientSecret: string) =>
    askProvider({ tenant: { ...tenant, clientSecret }, fetch: async (request) => service.app.request(request) });
  expect(await ask(AURORA.clientSecret)).toBe(`The provider at ${baseUrl} answers and accepts the credentials.`);
  expect(await ask("another secret")).toBe(
    `The provider at ${baseUrl} refuses the credentials (HTTP 401): check the Client_ID and its secret.`,
  );
});

test("a provider that is not there is said not to answer", async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  expect(await askProvider({ tenant: { ...tenant, baseUrl: nowhere }, fetch })).toBe(
    `The provider at ${nowhere} does not answer; the console goes on trying.`,
  );
});

test("a provider in trouble, and an address that is no provider's, are told apart", async () => {
  expect(await answering(503)).toContain("gives no token now (HTTP 503)");
  expect(await answering(200, "<html>")).toContain("something other than a token (HTTP 200, answer-not-json)");
  expect(await answering(302)).toContain("something other than a token (HTTP 302, answer-redirects)");
});
