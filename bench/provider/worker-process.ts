import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { db } from "@/lib/db/connection";
import { providerIntent } from "@/lib/db/tables/provider";
import { staff } from "@/lib/db/tables/staff";
import { z } from "zod";
import { AppError } from "@/lib/errors/app-error";
import { type Actor, grant } from "@/lib/permission/grant";
import { type Permission, ROLES } from "@/lib/permission/permission";
import { provider } from "@/lib/provider/client";
import { createIntents } from "@/lib/provider/intents/intent";
import { executeOrPropose } from "@/lib/approvals/propose";
import { sendTransfer } from "@/lib/transfers/transfer";
import { InternalOrder } from "@/lib/transfers/inputs";
import { orderCoins } from "@/lib/wallets/send-coins";
import { areaWatch } from "@/lib/boot/area-watches";
import { Life, type Order } from "./worker";

/** A person with every role at this process's tenant. */
function actorOf<P extends Permission>(staffId: string, permission: P): Actor<P> {
  const actor = grant({ staffId, tenant: process.env["BANK_CLIENT_ID"] ?? "", roles: ROLES }, permission);
  if (actor === null) throw new Error(`no role grants ${permission}`);
  return actor;
}

/** Creates the person who orders. */
async function hire(staffId: string): Promise<void> {
  const someone = { id: staffId, email: "bench@bench.example", name: "Bench", passwordHash: "none" };
  await (await db()).insert(staff).values(someone).onConflictDoNothing();
}

/** Orders a transfer despite possible duplicates, small enough to need no approval. */
async function orderTransfer(staffId: string, order: Order): Promise<void> {
  const written = { ...order, isRepeat: true, userId: "bench", description: order.intentId };
  const done = await executeOrPropose(sendTransfer, actorOf(staffId, "transfers:create"), InternalOrder.parse(written));
  if (done.state === "PROPOSED") throw new Error(`${order.amount} needs a second person`);
}

/** Recovers what is left, with the waiting times set to zero. */
async function takeUp(): Promise<void> {
  const before = sql`clock_timestamp() - interval '1 second'`;
  const isUnknown = sql`case when ${providerIntent.state} = 'UNKNOWN' then ${before} end`;
  await (await db()).update(providerIntent).set({ sendingUntil: before, nextTryAt: isUnknown });
  await areaWatch("transfers:read").sweep(actorOf("bench", "transfers:create").tenant);
}

/** One second stands for a minute of waiting. */
const HASTE = 60;

function hasten(): void {
  globalThis.retaguardaIntents = createIntents({
    post: provider.post,
    now: () => performance.now() * HASTE,
    sleep: async (ms) => {
      await pause(ms / HASTE);
    },
    random: Math.random,
  });
}

const Step = z.object({ step: z.string() });
const Connecting = z.object({ socket: z.instanceof(Socket) });

const die = () => void process.kill(process.pid, "SIGKILL");

/** Dies once the operating system has the request, on a new or a kept connection. */
function dieOnTheWire(): void {
  subscribe("net.client.socket", (message) => void Connecting.parse(message).socket.once("connect", die));
  subscribe("http.client.request.start", die);
}

function armDeath(label: Life["diesAt"]): void {
  if (label === null) return;
  subscribe("retaguarda:intent", (message) => {
    const { step } = Step.parse(message);
    if (step === label) die();
    if (step === "send-noted" && label === "on-the-wire") dieOnTheWire();
  });
}

const { staffId, order, coins, diesAt, mayDieRecovering } = Life.parse(JSON.parse(process.env["LIFE"] ?? ""));
hasten();
await hire(staffId);
if (mayDieRecovering) armDeath(diesAt);
await takeUp();
if (order !== null || coins.length > 0) {
  const told = once(process, "message");
  process.send?.("taken up");
  await told;
  if (!mayDieRecovering) armDeath(diesAt);
  const ordering = [
    ...(order === null ? [] : [orderTransfer(staffId, order)]),
    ...coins.map((send) => orderCoins(actorOf(staffId, "crypto-transfers:create"), send)),
  ];
  for (const ordered of await Promise.allSettled(ordering))
    if (ordered.status === "rejected" && !(ordered.reason instanceof AppError)) throw ordered.reason;
}
process.exit();
