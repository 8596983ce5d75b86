import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { provider } from "@/lib/provider/client";
import { getOtcTrade } from "@/lib/provider/operations";
import { documentsWithin, isDocument } from "@/lib/contract/document";
import { normaliseDocument, pasted } from "@/lib/contract/fold";
import { db } from "@/lib/db/connection";
import { type KnownFields, readFields } from "@/lib/text/reported-fields";
import type { OtcField, OtcTrade } from "./view";

const mayBeId = (text: string) =>
  /^[\dA-Za-z][\w.:-]{0,119}$/.test(text) && documentsWithin(text).length === 0 && !isDocument(normaliseDocument(text));

export const OtcLookUp = z.object({
  id: z
    .string()
    .max(500)
    .transform(pasted)
    .refine(mayBeId, { params: { code: "otc-id" } }),
});

const KNOWN: KnownFields<OtcField> = {
  id: { aliases: ["tradeId", "identificador", "idOperacao", "operacaoId"], as: "open" },
  status: { aliases: ["situacao", "state", "estado"], as: "open" },
  side: { aliases: ["lado", "sentido", "operationType", "tipoOperacao"], as: "open" },
  asset: { aliases: ["ativo", "coin", "moeda", "symbol", "simbolo"], as: "open" },
  network: { aliases: ["rede", "chain"], as: "open" },
  tokenAddress: { aliases: ["contractAddress", "enderecoToken", "contrato"], as: "open" },
  quantity: { aliases: ["quantidade", "amount"], as: "open" },
  price: { aliases: ["preco", "unitPrice", "precoUnitario", "rate", "cotacao"], as: "open" },
  total: { aliases: ["totalAmount", "valorTotal"], as: "open" },
  currency: { aliases: ["quoteCurrency", "moedaCotacao"], as: "open" },
  createdAt: { aliases: ["criadoEm", "creationDate", "dataCriacao", "tradedAt"], as: "time" },
  settledAt: { aliases: ["liquidadoEm", "settlementDate", "dataLiquidacao"], as: "time" },
  clientId: { aliases: ["idCliente", "clienteId"], as: "open" },
};

export async function lookUpTrade(actor: Actor<"wallets:read">, { id }: z.output<typeof OtcLookUp>): Promise<OtcTrade> {
  const { tenant, id: by } = actor;
  await record(await db(), { tenant, actor: by, code: "otc.look-up", outcome: "DONE", object: `otc:${id}` });
  try {
    const { answer, asOf } = await provider.get(actor, getOtcTrade, { params: { id } });
    return { id, fields: readFields(answer, KNOWN), asOf: asOf.toISOString() };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "not-found") throw error;
    throw new AppError("not-found", { ...error.details, code: "otc-trade-unknown" });
  }
}
