import { z } from "zod";
import type { Service } from "@/bench/service/program";
import { parseJson, stringifyJson } from "@/lib/contract/json";
import { WireError } from "@/lib/provider/wire-http";
import { bankAt } from "@/test/support/provider";

/** Where an answer is lost: before the provider did what it was asked, or after it. */
export type Loss = "before" | "after";

const TRANSFER = "/v1/crypto/transfer";
const PAGE = 10;

const Entry = z.looseObject({ hash: z.string(), blockNumber: z.unknown(), timestamp: z.unknown() });
const History = z.looseObject({ data: z.array(Entry) });

const DOCUMENTED = ["chain", "hash", "address", "blockNumber", "amount", "transactionSubtype", "counterAddress"];

/** Tells neither asset nor fee, an entry without its block at first, and each page's last entry again on the next. */
function unlikeHistory(origin: string) {
  const told = new Set<string>();
  return async (url: URL, headers: Headers): Promise<Response> => {
    const page = Number(url.searchParams.get("page") ?? 0);
    const all = new URL(url.pathname + url.search, origin);
    all.searchParams.set("page", "0");
    all.searchParams.set("pageSize", "500");
    const answer = await fetch(all, { headers });
    if (!answer.ok) return answer;
    const body = History.parse(parseJson(await answer.text()));
    const data = body.data.slice(page * (PAGE - 1), page * (PAGE - 1) + PAGE).map((entry) => {
      const isNew = !told.has(entry.hash);
      const plain = Object.fromEntries(DOCUMENTED.map((name) => [name, entry[name]]));
      return isNew ? { ...plain, blockNumber: 0, timestamp: 0 } : { ...plain, timestamp: entry.timestamp };
    });
    for (const { hash } of data.map((entry) => Entry.parse(entry))) told.add(hash);
    return new Response(stringifyJson({ ...body, data }), { headers: { "content-type": "application/json" } });
  };
}

/** Makes the service this process's provider, whose next answers to transfers of coins are lost as `losses` says. */
export function connectTo({ origin, tenant }: Pick<Service, "origin" | "tenant">, manner: "ours" | "unlike") {
  const losses: Loss[] = [];
  const historyOf = unlikeHistory(origin);
  const serve = async ({ method, url, headers, body }: Request): Promise<Response> => {
    const asked = new URL(url);
    const loss = asked.pathname === TRANSFER ? losses.shift() : undefined;
    if (loss === "before") throw new WireError("no-answer", true, "ECONNRESET");
    if (manner === "unlike" && asked.pathname.endsWith("/history")) return historyOf(asked, headers);
    const sent = body === null ? null : await new Response(body).text();
    const answer = await fetch(new URL(asked.pathname + asked.search, origin), { method, headers, body: sent });
    if (loss === "after") throw new WireError("no-answer", true, "ECONNRESET");
    return answer;
  };
  const clock = { now: () => Date.now(), sleep: async () => undefined };
  globalThis.retaguardaBanks = new Map([[tenant.clientId, bankAt({ tenant, serve, clock })]]);
  return { losses };
}
