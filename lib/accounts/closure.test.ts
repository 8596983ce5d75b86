import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { actorOf } from "@/test/support/console";
import { internalOrder, openAccount, transferInternal, orderInternalTransfer } from "@/test/support/transfers";
import { refusedProof } from "./close";
import { AppError } from "@/lib/errors/app-error";
import { standingIn } from "./standing";
import { account } from "@/lib/db/tables/customers";
import { readClosingTerms, refuseUnclosable } from "./closure";
import { givenClosing } from "@/test/support/accounts";

let fixture: Awaited<ReturnType<typeof givenClosing>>;
beforeEach(async () => {
  fixture = await givenClosing();
});

const terms = () => readClosingTerms(fixture.maker, fixture.ref);
const why = (code: string) => ({ details: { code } });

describe("before an account is closed", () => {
  it("reports no obstacle for an empty account, and whether it needs approval", async () => {
    expect(await terms()).toMatchObject({ balance: "0.00", needsApproval: true, obstacles: [], notes: [] });
    await fixture.allowAlone();
    expect(await terms()).toMatchObject({ needsApproval: false });
  });

  it("reports the count and sum of an account's pending transfers", async () => {
    const finance = actorOf("finance", fixture.makerId, "transfers:create");
    const parties: Parameters<typeof internalOrder>[0] = [fixture.held, await openAccount(fixture.service)];
    for (const amount of ["7000.00", "8000.00", "6900.00"])
      await orderInternalTransfer(finance, internalOrder(parties, { amount }));
    expect(await terms()).toMatchObject({ notes: ["transfer-proposed"], waiting: { sum: "21900.00", count: 3 } });
  });

  it("reports what waits to be sent to an account", async () => {
    const finance = actorOf("finance", fixture.makerId, "transfers:create");
    const payer = await openAccount(fixture.service);
    for (const amount of ["7000.00", "8000.00"])
      await orderInternalTransfer(finance, internalOrder([payer, fixture.held], { amount }));
    expect(await terms()).toMatchObject({
      notes: ["transfer-arriving"],
      waiting: { count: 0 },
      arriving: { sum: "15000.00", count: 2 },
    });
  });

  it("offers the provider's user id, or none when it names none", async () => {
    expect(await terms()).toMatchObject({ user: null });
    await fixture.db.update(account).set({ userId: "usr-7" });
    expect(await terms()).toMatchObject({ user: { userId: "usr-7", typed: null } });
  });

  it("refuses to propose a closing while the balance is not zero", async () => {
    await fixture.credit(0.01);
    expect(await terms()).toMatchObject({ balance: "0.01", obstacles: ["balance"] });
    await expect(fixture.propose()).rejects.toMatchObject(why("closing-balance"));
  });

  it("stops a closing for money that arrived after the authorisation", async () => {
    const id = await fixture.ready();
    await fixture.credit(1);
    await expect(fixture.carrying(id)).rejects.toMatchObject(why("closing-balance"));
    expect([fixture.asked(), await fixture.stateOf(id)]).toEqual([0, ["READY", null]]);
  });

  it("refuses closure while a transfer is held and its amount blocked", async () => {
    await fixture.credit(10_000);
    const finance = actorOf("finance", fixture.makerId, "transfers:create");
    const order = internalOrder([fixture.held, await openAccount(fixture.service)], { amount: "10000.00" });
    await expect(transferInternal(finance, order)).resolves.toMatchObject({ state: "HELD" });
    expect(await terms()).toMatchObject({ blockedBalance: "10000.00", obstacles: ["transfer", "blocked"] });
    await expect(fixture.propose()).rejects.toMatchObject(why("closing-transfer"));
    const claiming = fixture.db.transaction((tx) =>
      refuseUnclosable(tx, "aurora", { ref: fixture.ref, intentId: randomUUID() }),
    );
    await expect(claiming).rejects.toMatchObject(why("closing-transfer"));
  });

  it("reports a waiting closing and an account already closed", async () => {
    const id = await fixture.ready();
    expect(await terms()).toMatchObject({ obstacles: ["proposed"] });
    await fixture.carrying(id);
    expect(await terms()).toMatchObject({ obstacles: ["closed"] });
    await expect(fixture.propose()).rejects.toMatchObject(why("closing-closed"));
  });

  it("recognises a closed account by a nested status word in capitals", async () => {
    fixture.provider.manner = { standing: "CONTA_ENCERRADA" };
    expect(await terms()).toMatchObject({ obstacles: ["closed"] });
  });
});

describe("how the provider words it", () => {
  it.each([
    [{ data: { status: "CLOSED" } }, "CLOSED"],
    [{ data: { status: "CONFIRMED", accountStatus: "closed" } }, "CLOSED"],
    [{ data: { status: " Encerrada " } }, "CLOSED"],
    [{ data: { status: "ACTIVE" } }, "OPEN"],
    [{ data: { status: "BLOQUEIO-JUDICIAL" } }, "UNKNOWN"],
    [{ data: { status: 7 } }, "UNKNOWN"],
    [{ status: 200 }, "UNKNOWN"],
  ])("reads the status %j as %s", (answer, standing) => {
    expect(standingIn(answer)).toBe(standing);
  });

  it.each([
    [422, "The MFA code was refused", "code"],
    [422, "Código inválido", "code"],
    [400, "code: must have 6 digits", "code"],
    [403, "User access token expired", "userAccessToken"],
    [422, "Sessão expirada", "userAccessToken"],
    [422, "The account has a balance", undefined],
    [503, "The MFA service is down: no code", undefined],
  ])("reads a refusal with %i and “%s” as one about the field %s", (status, providerMessage, field) => {
    const kind = status === 403 ? "forbidden" : status === 503 ? "unavailable" : "invalid";
    expect(refusedProof(new AppError(kind, { status, providerMessage }))[0]?.path[0]).toBe(field);
  });
});
