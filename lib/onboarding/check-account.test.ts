import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { completeCpf } from "@/lib/contract/document";
import type { Db } from "@/lib/db/connection";
import { AppError } from "@/lib/errors/app-error";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { accountOrder, typedPerson } from "@/test/support/onboarding";
import { givenOnboarding } from "@/test/support/privacy";
import { givenIntents } from "@/test/support/transfers";
import { checkAccountForm } from "./check-account";
import { requestAccount } from "./create";

const CPF = "52998224725";

let db: Db;
let ana: ReturnType<typeof actorOf<"onboarding:create">>;
let script: ReturnType<typeof givenIntents>;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  await givenService();
  script = givenIntents();
  ana = actorOf("support", await givenStaff(db, "support"), "onboarding:create");
});

type Typed = { documentNumber: string; from?: string | null };

/** What is refused at the first step, where nothing else is typed yet. */
async function refusedAt({ documentNumber, from = null }: Typed): Promise<Record<string, unknown>> {
  const typed = { type: "PF" as const, from, email: "", person: { documentNumber }, bankDocuments: {} };
  try {
    await checkAccountForm(ana, typed);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return Object.fromEntries((error.details.issues ?? []).map(({ path, params }) => [path.join("."), params]));
  }
  return {};
}

const at = "person.documentNumber";

describe("an account's form at its first step", () => {
  it("refuses another document than the attempt's while the rest is missing", async () => {
    const from = await givenOnboarding(db, CPF);
    expect((await refusedAt({ documentNumber: "390.533.447-05", from }))[at]).toEqual({ code: "other-document" });
    expect(await refusedAt({ documentNumber: "529.982.247-25", from })).not.toHaveProperty([at]);
    expect((await refusedAt({ documentNumber: CPF, from: randomUUID() }))[at]).toEqual({ code: "other-document" });
  });

  it("refuses a document whose request has no known outcome", async () => {
    const order = accountOrder();
    script.losses = 1;
    await expect(requestAccount(ana, order)).rejects.toMatchObject({ details: { code: "account-unconfirmed" } });
    const { documentNumber } = order.person;
    expect((await refusedAt({ documentNumber }))[at]).toEqual({ code: "document-unconfirmed" });
    expect(await refusedAt({ documentNumber: completeCpf("390533447") })).not.toHaveProperty([at]);
  });

  it("names all that is missing, and nothing of a whole form", async () => {
    const wrong = await refusedAt({ documentNumber: "111.111.111-11" });
    expect(Object.keys(wrong)).toEqual(expect.arrayContaining([at, "email", "person.fullName"]));
    expect(await checkAccountForm(ana, { ...typedPerson(), type: "PF", from: null })).toBeNull();
  });
});
