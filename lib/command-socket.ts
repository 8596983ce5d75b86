import { chmodSync, rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { CommandRefusal } from "@/lib/command-refusal";
import { log } from "@/lib/log";

/** Answers one command; both sides are JSON. */
export type CommandHandler = (request: unknown) => Promise<unknown>;

// Relative, because the name of a socket may have no more than about a hundred bytes.
const socketPath = (dataDir: string) => relative(process.cwd(), join(dataDir, "console.sock"));

/** All that the other side says until it ends its half; reading by iteration would close ours along with it. */
function readRequest(connection: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    connection.setEncoding("utf8");
    connection.on("data", (chunk) => {
      said += String(chunk);
    });
    connection.once("end", () => resolve(said));
    connection.once("error", reject);
  });
}

/**
 * Lets commands of this machine's same user reach the console that holds the embedded database, which nobody else may
 * open. The socket file is readable and writable by that user alone.
 */
export function serveCommands(dataDir: string, handle: CommandHandler): void {
  const path = socketPath(dataDir);
  rmSync(path, { force: true });
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    readRequest(connection)
      .then((request) => handle(JSON.parse(request)))
      .then(
        (answer) => connection.end(JSON.stringify({ ok: true, answer })),
        (error: unknown) => {
          log.warn({ err: error }, "command failed");
          const refusal = error instanceof CommandRefusal ? error.message : undefined;
          connection.end(JSON.stringify({ ok: false, refusal }));
        },
      );
  });
  server.on("error", (error) => log.error({ err: error }, "command socket"));
  server.listen(path, () => chmodSync(path, 0o600));
  server.unref();
}

/** Sends a command to the running console; null when none runs on this directory. */
export async function askConsole(dataDir: string, request: unknown): Promise<{ text: string } | null> {
  const connection = createConnection(socketPath(dataDir));
  const [connected] = await Promise.allSettled([
    new Promise<void>((resolve, reject) => {
      connection.once("connect", resolve);
      connection.once("error", reject);
    }),
  ]);
  if (connected.status === "rejected") return null;
  connection.end(JSON.stringify(request));
  return { text: await text(connection) };
}
