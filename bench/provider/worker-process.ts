import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { AppError } from "@/lib/errors/app-error";
import { bank } from "@/lib/provider/client";
import { createIntents } from "@/lib/provider/intents/intent";
import { hire, orderTransfer, takeUp } from "./people";
import { Life } from "./worker";

/** What takes a person a minute is over in a second. */
const HASTE = 60;

function hasten(): void {
  globalThis.retaguardaIntents = createIntents({
    post: bank.post,
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

/** Dies once the request is with the operating system: as soon as a connection stands, or one that stood takes it. */
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

const { staffId, order, diesAt, mayDieRecovering } = Life.parse(JSON.parse(process.env["LIFE"] ?? ""));
hasten();
await hire(staffId);
if (mayDieRecovering) armDeath(diesAt);
await takeUp();
if (order !== null) {
  const told = once(process, "message");
  process.send?.("taken up");
  await told;
  if (!mayDieRecovering) armDeath(diesAt);
  try {
    await orderTransfer(staffId, order);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
process.exit();
