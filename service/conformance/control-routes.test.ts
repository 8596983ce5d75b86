import { beforeAll, describe, expect, test } from "vitest";
import { controlRoutes } from "@/service/control/routes";
import { CONTROL_TOKEN, type Harness, startService } from "@/test/support/service/harness";
import { ask } from "@/test/support/service/conformance";

const named = controlRoutes.map(({ method, path }) => [method, path.replaceAll(/\{\w+\}/g, "nobody")] as const);

// No account exists to be controlled, so one service serves all tests.
let service: Harness;
let bare: Harness;
beforeAll(async () => {
  service = await startService();
  bare = await startService({ environment: { SERVICE_CONTROL_TOKEN: "" } });
});

describe("every control route", () => {
  test.each(named)("%s %s is 401 without the control token, with a wrong one and with a tenant's", async (...line) => {
    for (const Authorization of ["", "Bearer wrong", `Basic ${CONTROL_TOKEN}`, CONTROL_TOKEN])
      expect(await ask(service, line, { Authorization })).toMatchObject({
        status: 401,
        body: { message: expect.any(String) },
      });
    expect((await service.send(...line)).status).toBe(401);
  });

  test.each(named)("%s %s is 404 without the setting", async (...line) => {
    expect((await ask(bare, line, { Authorization: "Bearer " })).status).toBe(404);
  });

  test.each(named)("%s %s answers {data}, or {message} with 4xx", async (method, path) => {
    const { status, body } = await service.control(method, path, method === "GET" ? undefined : {});
    expect(status === 200 ? ["data"] : ["message"]).toEqual(Object.keys(Object(body)));
    expect(status).toBeLessThan(500);
  });
});
