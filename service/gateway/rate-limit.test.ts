import { expect, test } from "vitest";
import { fixedClock } from "@/test/support/service/harness";
import { createRateLimit } from "./admit";

test("counts each address separately", () => {
  const limit = createRateLimit(fixedClock(), 1);
  limit.take("192.0.2.1");
  limit.take("192.0.2.2");
  expect(() => limit.take("192.0.2.1")).toThrow("Rate limit exceeded");
});
