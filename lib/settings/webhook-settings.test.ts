import { describe, expect, it } from "vitest";
import { webhookSecretsOf } from "./env";

describe("the secrets that a delivery may be signed with", () => {
  it.each([
    [{}, []],
    [{ BANK_WEBHOOK_SECRET: "new" }, ["new"]],
    [{ BANK_WEBHOOK_SECRET: "new", BANK_WEBHOOK_SECRET_PREVIOUS: "old" }, ["new", "old"]],
  ])("reads the secrets of %j as %j, the current one first", (given, secrets) => {
    expect(webhookSecretsOf(given)).toEqual(secrets);
  });

  it("refuses a previous secret alone", () => {
    expect(() => webhookSecretsOf({ BANK_WEBHOOK_SECRET_PREVIOUS: "old" })).toThrow(
      /is set without BANK_WEBHOOK_SECRET$/,
    );
  });
});
