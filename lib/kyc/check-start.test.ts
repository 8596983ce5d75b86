import { beforeEach, expect, it } from "vitest";
import { AppError } from "@/lib/errors/app-error";
import { givenStartFixture, personOrder, type StartFormState } from "@/test/support/kyc";
import { checkStartForm } from "./check-start";
import { startCase } from "./start";

let fixture: StartFormState;
beforeEach(async () => {
  fixture = await givenStartFixture();
});

async function refusedAt(vatNumber: string): Promise<Record<string, unknown>> {
  try {
    await checkStartForm(fixture.ana, { type: "PF", vatNumber });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return Object.fromEntries((error.details.issues ?? []).map(({ path, params }) => [path.join("."), params]));
  }
  return {};
}

it("refuses a document whose start has no known outcome, while the rest is missing", async () => {
  const order = personOrder();
  expect(await refusedAt(order.vatNumber)).not.toHaveProperty("vatNumber");
  fixture.script.losses = 1;
  await expect(startCase(fixture.ana, order)).rejects.toMatchObject({ details: { code: "start-unconfirmed" } });
  const wrong = await refusedAt(order.vatNumber);
  expect(wrong["vatNumber"]).toEqual({ code: "document-unconfirmed" });
  expect(Object.keys(wrong)).toContain("name");
  expect((await refusedAt("111.111.111-11"))["vatNumber"]).not.toEqual({ code: "document-unconfirmed" });
});
