import { beforeEach, expect, test } from "vitest";
import { describeService } from "@/service/openapi/document";
import { type Harness, startService } from "@/test/support/service/harness";

let service: Harness;
beforeEach(async () => {
  service = await startService({ environment: { SERVICE_PUBLIC_URL: "https://bank.example/base/" } });
});

const get = (headers: Record<string, string> = {}) => service.app.request("/openapi.json", { headers });

test("describes itself to everybody, at the URL where it is reached", async () => {
  const response = await get();
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=UTF-8"]);
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(describeService("https://bank.example/base"))));
  expect(response.headers.get("x-request-id")).not.toBeNull();
  expect([...response.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
});

test("does not resend an unchanged copy", async () => {
  const tag = (await get()).headers.get("etag") ?? "";
  expect(tag).toMatch(/^"[\w-]{43}"$/);
  for (const wanted of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
    const response = await get({ "If-None-Match": wanted });
    expect([response.status, response.headers.get("etag"), await response.text()]).toEqual([304, tag, ""]);
  }
  expect((await get({ "If-None-Match": '"other"' })).status).toBe(200);
  expect((await get({ "If-None-Match": "" })).status).toBe(200);
});

test("allows only reads of the description", async () => {
  const refused = await service.app.request("/openapi.json", { method: "POST" });
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET"]);
  const head = await service.app.request("/openapi.json", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});
