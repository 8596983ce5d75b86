import { beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { getSession } from "@/lib/auth/session";
import { completeCpf } from "@/lib/contract/document";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { type Manner, otherProvider, strangest } from "@/test/other-provider";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { lookUpTrade, OtcLookUp } from "./otc-trade";

const Recorded = z.object({ data: z.object({ id: z.string() }) });
const TRADE = { clientId: "aurora", side: "BUY", network: "BITCOIN", quantity: "0.12345678", price: 350_000.1 };

let db: Db;
let staffId = "";
let instead: ((request: Request) => Response | null) | null = null;
let manner: Manner | null = null;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "finance");
  [instead, manner] = [null, null];
  vi.mocked(getSession).mockResolvedValue(null);
});

async function givenTrade(): Promise<string> {
  const service = await givenService(
    undefined,
    (serve) => async (request) =>
      instead?.(request) ?? (manner === null ? serve(request) : otherProvider(serve, manner)(request)),
  );
  return Recorded.parse((await service.control("POST", "/sandbox/otc/trades", TRADE)).body).data.id;
}

const lookUp = (id: string) => lookUpTrade(actorOf("finance", staffId, "wallets:read"), OtcLookUp.parse({ id }));
const told = async (id: string) =>
  Object.fromEntries((await lookUp(id)).fields.map(({ name, path, text }) => [name ?? path, text]));
const answering = (status: number, body: object) => (request: Request) =>
  request.url.includes("/v1/otc/") ? Response.json(body, { status }) : null;

describe("looking an OTC trade up", () => {
  it("shows every field of a trade, to the last digit", async () => {
    const id = await givenTrade();
    expect(await told(id)).toMatchObject({
      id,
      status: "SETTLED",
      side: "BUY",
      asset: "BTC",
      network: "BITCOIN",
      quantity: "0.12345678",
      price: "350000.1",
      total: "43209.89",
      currency: "BRL",
      clientId: "aurora",
    });
  });

  it("reads another provider's trade, and shows unknown fields as they came", async () => {
    const id = await givenTrade();
    manner = strangest;
    const fields = await told(id);
    expect(fields).toMatchObject({ id, status: "liquidada", side: "BUY", quantity: "0.12345678", total: "43209.89" });
    expect(fields["body.resposta.dados.versaoRegistro"]).toBe("3");
  });

  it("shows a trade's settlement time in ISO, from any format", async () => {
    const id = await givenTrade();
    instead = answering(200, { data: { id, liquidadoEm: "2026-03-10 23:30:00 -0300" } });
    expect(await told(id)).toMatchObject({ settledAt: "2026-03-11T02:30:00.000Z" });
  });

  it("masks what looks like a document in a trade", async () => {
    const id = await givenTrade();
    const cpf = completeCpf("417205638");
    instead = answering(200, { data: { id, comprador: { cpf } } });
    expect(JSON.stringify(await lookUp(id))).not.toContain(cpf);
  });

  it("says that OTC is not enabled when the provider does", async () => {
    const id = await givenTrade();
    instead = answering(403, { error: "PRODUCT_NOT_ENABLED", message: "Product not enabled" });
    await expect(lookUp(id)).rejects.toMatchObject({ details: { code: "PRODUCT_NOT_ENABLED" } });
  });

  it("audits a look-up before the call, even for an unknown trade", async () => {
    await givenTrade();
    await expect(lookUp("nobody")).rejects.toMatchObject({
      kind: "not-found",
      details: { code: "otc-trade-unknown" },
    });
    expect(await db.select().from(auditEvent)).toMatchObject([
      { code: "otc.look-up", actor: staffId, outcome: "DONE", object: "otc:nobody" },
    ]);
  });
});

it.each([["52998224725"], ["529.982.247-25"], [".."], ["a/b"], [""]])("refuses %j as a trade's id", (id) => {
  const { error } = OtcLookUp.safeParse({ id });
  expect(error?.issues).toMatchObject([{ params: { code: "otc-id" } }]);
});
