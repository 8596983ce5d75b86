import { connect, type Socket } from "node:net";
import { BankError } from "@/lib/bank/answer";
import { env } from "@/lib/settings/env";
import { log } from "@/lib/process/log";
import type { ScannerAddress } from "@/lib/settings/env";

const PATIENCE_MS = 30_000;
const CHUNK_BYTES = 64 * 1024;
const MOST_ANSWER_BYTES = 4_096;

function sizeOf(bytes: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(bytes);
  return size;
}

/** The command of clamd's manual: each part with its length before it, an empty one at the end. */
function sendStream(socket: Socket, bytes: Uint8Array): void {
  socket.write("zINSTREAM\0");
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const part = bytes.subarray(at, at + CHUNK_BYTES);
    socket.write(sizeOf(part.length));
    socket.write(part);
  }
  socket.write(sizeOf(0));
}

/** What clamd says of these bytes, without the zero that ends it. Rejects when it says nothing in time. */
function ask(address: ScannerAddress, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    let answer = "";
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error("clamd did not answer in time")));
    socket.once("connect", () => sendStream(socket, bytes));
    socket.on("data", (part) => {
      answer += part.toString("latin1");
      if (answer.includes("\0") || answer.length > MOST_ANSWER_BYTES) socket.end();
    });
    socket.once("error", reject);
    socket.once("close", () => resolve(answer.split("\0")[0] ?? ""));
  });
}

/**
 * Whether clamd finds something in these bytes; "off" where the settings name none. Throws `BankError` unavailable
 * `scan-unavailable` when it does not say: what was not looked at is not kept.
 */
export async function scan(bytes: Uint8Array): Promise<"off" | "clean" | "found"> {
  const { scanner } = env();
  if (scanner === null) return "off";
  const [asked] = await Promise.allSettled([ask(scanner, bytes)]);
  const said = asked.status === "fulfilled" ? asked.value : String(asked.reason);
  if (said === "stream: OK") return "clean";
  if (/^stream: .+ FOUND$/.test(said)) {
    log.warn({ said }, "a file was refused: clamd found something in it");
    return "found";
  }
  log.error({ said }, "clamd did not look at a file");
  throw new BankError("unavailable", { code: "scan-unavailable" });
}
