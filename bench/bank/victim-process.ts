import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { Socket } from "node:net";
import { z } from "zod";
import { Life } from "./life";
import { hire, orderTransfer, takeUp } from "./transfer-desk";

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

async function live({ staffId, order, diesAt, mayDieRecovering }: Life): Promise<void> {
  await hire(staffId);
  if (mayDieRecovering) armDeath(diesAt);
  await takeUp();
  if (order === null) return;
  const told = once(process, "message");
  process.send?.("taken up");
  await told;
  if (!mayDieRecovering) armDeath(diesAt);
  await orderTransfer(staffId, order);
}

await live(Life.parse(JSON.parse(process.env["LIFE"] ?? "")));
process.exit();
