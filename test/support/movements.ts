import { randomUUID } from "node:crypto";
import type { Actor } from "@/lib/permission/grant";
import type { MovementOrder } from "@/lib/movements/inputs";
import { startMovementFile } from "@/lib/movements/order";
import { takeMovementFile } from "@/lib/movements/queries";
import { movementsWatch } from "@/lib/movements/watch";
import { chainMovement, chainReading, wallet } from "@/lib/db/tables/wallets";
import { db } from "@/lib/db/connection";

export async function startOf(actor: Actor<"statement:export">, order: Partial<MovementOrder>): Promise<string> {
  const id = randomUUID();
  const whole = { from: "2026-03-01", to: "2026-03-31", format: "csv", scope: "all", names: "" } as const;
  return (await startMovementFile(actor, { ...whole, ...order, id })).id;
}

export async function sweepAll(): Promise<void> {
  while ((await movementsWatch.sweep("aurora")) === "unfinished");
}

export async function bytesOf(id: string): Promise<Buffer> {
  const { parts } = await takeMovementFile(id);
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
}

const NOTE = /^[,;]{2,}"(.*)"[,;]*$/;

/** The lines beside the table without their empty cells. */
export const linesIn = (text: string): string[] => text.split("\r\n").map((line) => NOTE.exec(line)?.[1] ?? line);

export const linesOf = async (id: string): Promise<string[]> => linesIn((await bytesOf(id)).toString("utf8"));

export const ADDRESS = "0xAbC1";

export async function givenWallet(given: {
  id: string;
  tenant?: string;
  family?: string;
  address?: string;
}): Promise<void> {
  const said = { tenant: "aurora", address: ADDRESS, family: "TRON", coin: "", status: "active", ...given };
  const at = new Date("2026-02-01T12:00:00Z");
  await (await db()).insert(wallet).values({ ...said, createdAt: at, seenAt: at });
}

/** Read to its end after March, unless `told` says otherwise. */
export async function givenHistory(
  walletId: string,
  moved: readonly Partial<typeof chainMovement.$inferInsert>[],
  told: Partial<typeof chainReading.$inferInsert> = {},
): Promise<void> {
  const store = await db();
  const place = { tenant: told.tenant ?? "aurora", walletId, network: told.network ?? ("TRON" as const) };
  await store.insert(chainReading).values({ asOf: new Date("2026-04-01T03:00:00Z"), isWhole: true, ...told, ...place });
  for (const [nth, one] of moved.entries()) {
    const said = { hash: `h${nth}`, subtype: "incoming", counterAddress: "TXo", amount: "1" };
    const at = new Date("2026-03-09T12:00:00Z");
    await store.insert(chainMovement).values({ key: `k${nth}`, ordinal: 0, at, ...said, ...one, ...place });
  }
}
