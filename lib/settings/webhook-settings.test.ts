import { describe, expect, it } from "vitest";
import { webhookSecretsOf } from "./env";

describe("the secrets that a delivery may be signed with", () => {
  it.each([
    [{}, []],
    [{ BANK_WEBHOOK_SECRET: "new" }, ["new"]],
    [{ BANK_WEBHOOK_SECRET: "new", BANK_WEBHOOK_SECRET_PREVIOUS: "old" }, ["new", "old"]],
  ])("with %j are %j, the one in force first", (given, secrets) => {
    expect(webhookSecretsOf(given)).toEqual(secrets);
  });

  it("are not one that was given up and nothing in its place", () => {
    expect(() => webhookSecretsOf({ BANK_WEBHOOK_SECRET_PREVIOUS: "old" })).toThrow(
      /is set without BANK_WEBHOOK_SECRET$/,
    );
  });
});
