import { beforeEach, describe, expect, it } from "vitest";
import { grant } from "@/lib/permission/grant";
import { givenFixture } from "@/test/support/approvals";
import { actorOf } from "@/test/support/console";
import { externalOrder, internalOrder, orderExternalTransfer, orderInternalTransfer } from "@/test/support/transfers";
import { lookUp } from "./look-up";
import { findCounterpartyTransfers } from "./transfer-of-entry";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
beforeEach(async () => {
  fixture = await givenFixture();
});

const reader = () => actorOf("support", fixture.makerId, "accounts:read");
const NOBODY = { payeeOf: null, accountRef: null };

describe("transfers of an entry's counterparty", () => {
  it("names the newest transfer to the counterparty's document", async () => {
    const order = externalOrder(fixture.parties[0], { value: "20.00" });
    await orderExternalTransfer(fixture.maker, order);
    const found = await findCounterpartyTransfers(reader(), { document: "39053344705", accountId: null });
    expect(found).toEqual({ payeeOf: order.intentId, accountRef: null });
    const elsewhere = grant({ staffId: fixture.makerId, tenant: "boreal", roles: ["support"] }, "accounts:read");
    if (elsewhere === null) throw new Error("support reads accounts");
    expect(await findCounterpartyTransfers(elsewhere, { document: "39053344705", accountId: null })).toEqual(NOBODY);
  });

  it("names a counterparty's own account, known here or not", async () => {
    const [, to] = fixture.parties;
    const order = internalOrder(fixture.parties, { amount: "10.00" });
    await orderInternalTransfer(fixture.maker, order);
    const counterparty = { document: null, accountId: to.accountId };
    expect(await findCounterpartyTransfers(reader(), counterparty)).toEqual({ ...NOBODY, payeeOf: order.intentId });
    const known = await lookUp(reader(), { query: to.onBoardingId });
    expect(await findCounterpartyTransfers(reader(), counterparty)).toEqual({
      payeeOf: order.intentId,
      accountRef: "accountRef" in known ? known.accountRef : "",
    });
  });

  it("names nothing of a counterparty that the provider does not tell", async () => {
    await orderInternalTransfer(fixture.maker, internalOrder(fixture.parties, { amount: "10.00" }));
    expect(await findCounterpartyTransfers(reader(), { document: null, accountId: null })).toEqual(NOBODY);
    expect(await findCounterpartyTransfers(reader(), { document: "52998224725", accountId: null })).toEqual(NOBODY);
  });
});
