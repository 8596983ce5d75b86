import { getLocale, getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import { COINS } from "@/lib/contract/coins";
import { db } from "@/lib/db/connection";
import { AppError } from "@/lib/errors/app-error";
import { Paper } from "@/lib/pdf/document";
import { letterheadOf } from "@/lib/pdf/letterhead";
import type { Actor } from "@/lib/permission/grant";
import type { Download } from "@/lib/query";
import { formatCrypto, formatDate, formatDateTime, formatTime } from "@/lib/text/format";
import { readSend } from "./send-record";
import type { SendParty, SendRecord } from "./sends-view";

const MONO = { face: "mono", size: 8 } as const;

type Printed = { record: SendRecord; order: NonNullable<SendRecord["row"]["order"]>; txHash: string };

async function printReceipt(tenant: string, { record: send, order, txHash }: Printed): Promise<Buffer> {
  const [letterhead, say, networks, locale] = await Promise.all([
    letterheadOf(tenant),
    getTranslations("coins.receipt"),
    getTranslations("wallets.networks"),
    getLocale(),
  ]);
  const { row, fee, onChain } = send;
  const { network, asset, amount, to } = order;
  const printedAt = new Date();
  const title = say("title");
  const paper = await Paper.open({
    title,
    language: locale,
    printedAt,
    footer: (page, pages) => say("footer", { id: row.id, page, pages: pages ?? page }),
  });
  paper.letterhead(letterhead);
  const sentAt = onChain?.at ?? row.at;
  paper.title(`${formatCrypto(amount, locale)} ${asset}`, `${title} · ${formatDateTime(sentAt, locale)}`);
  const party = (name: "from" | "to", { address, label }: Pick<SendParty, "address" | "label">) => {
    paper.heading(say(name));
    if (label !== null) paper.fact(say("label"), label);
    paper.fact(say("address"), address, MONO);
  };
  party("from", row.from);
  party("to", { address: to, label: row.to?.label ?? null });
  paper.heading(say("transaction"));
  paper.fact(say("network"), networks(network));
  if (row.token !== null) paper.fact(say("token"), row.token, MONO);
  paper.fact(say("hash"), txHash, MONO);
  paper.fact(
    say("onChain"),
    onChain === null ? say("notOnChain") : say("seenOnChain", { block: onChain.block ?? "-" }),
  );
  if (fee !== null)
    paper.fact(
      say("fee"),
      say(fee.isTold ? "feeTold" : "feeDerived", { fee: `${formatCrypto(fee.amount, locale)} ${COINS[network]}` }),
    );
  paper.fact(say("id"), row.id, MONO);
  const at = printedAt.toISOString();
  paper.space();
  paper.quiet(say("issued", { day: formatDate(at, locale), time: formatTime(at, locale) }));
  return paper.end();
}

async function* one(part: Uint8Array): AsyncGenerator<Uint8Array> {
  yield part;
}

/** Throws not-found, and conflict `send-receipt` of what has not left, or has no hash to prove it by. */
export async function exportReceiptOf(reader: Actor<"wallets:read">, id: string): Promise<Download<Uint8Array>> {
  const found = await readSend(reader, id);
  if (found === null) throw new AppError("not-found");
  const { state, order, hash } = found.row;
  if (state !== "DONE" || order === null || hash === null) throw new AppError("conflict", { code: "send-receipt" });
  const file = await printReceipt(reader.tenant, { record: found, order, txHash: hash.txHash });
  const { tenant, id: actor } = reader;
  const detail = { what: "receipt", format: "pdf" };
  await record(await db(), { tenant, actor, code: "coins.export", outcome: "DONE", intentId: id, detail });
  const say = await getTranslations("coins.receipt");
  return { fileName: `${say("file")}-${id}.pdf`, contentType: "application/pdf", parts: one(file) };
}
