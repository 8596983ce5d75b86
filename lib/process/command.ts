import { chmodSync, rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { join, relative } from "node:path";
import { text as readText } from "node:stream/consumers";
import { z } from "zod";
import { env } from "@/lib/settings/env";
import { type Db, store } from "@/lib/store/store";
import { log } from "./log";

/** What a command will not do; the message is for whoever gave it, who is at the keyboard of this machine. */
export class CommandRefusal extends Error {}

/** Answers one command; both sides are JSON. */
type CommandHandler = (request: unknown) => Promise<unknown>;

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
  return { text: await readText(connection) };
}

type Doing<Input extends z.ZodType, Output extends z.ZodType> = {
  /** `area:verb`. */
  name: string;
  input: Input;
  /** What comes back over the socket: JSON, so dates are texts. */
  output: Output;
  /** Throws `CommandRefusal` for what it will not do. */
  run: (db: Db, input: z.output<Input>) => Promise<z.input<Output>>;
};

type Command<Input extends z.ZodType, Output extends z.ZodType> = Doing<Input, Output> & {
  /** Runs it with what came over the socket. */
  answer: (db: Db, input: unknown) => Promise<unknown>;
};

/** A thing that is done from the command line. It runs in the console too once it stands in `COMMANDS`. */
export function command<Input extends z.ZodType, Output extends z.ZodType>(
  doing: Doing<Input, Output>,
): Command<Input, Output> {
  return { ...doing, answer: (db, input) => doing.run(db, doing.input.parse(input)) };
}

const Answer = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), answer: z.unknown() }),
  z.object({ ok: z.literal(false), refusal: z.string().optional() }),
]);

function readAnswer(text: string): unknown {
  const answered = Answer.parse(JSON.parse(text));
  if (answered.ok) return answered.answer;
  throw new CommandRefusal(answered.refusal ?? "the running console refused; its log says why");
}

/**
 * Does it where the database is: a console that holds the embedded one does it itself, otherwise this process opens the
 * store and closes it after. Throws `CommandRefusal`, or `SettingError` and `EmbeddedDatabaseError` as the store does.
 */
export async function runCommand<Input extends z.ZodType, Output extends z.ZodType>(
  { name, input: schema, output, answer }: Command<Input, Output>,
  input: z.input<Input>,
): Promise<z.output<Output>> {
  const { error } = schema.safeParse(input);
  const [issue] = error?.issues ?? [];
  if (issue !== undefined) throw new CommandRefusal(`${issue.path.join(".") || name}: ${issue.message}`);
  const { databaseUrl, dataDir } = env();
  const answered = databaseUrl === null ? await askConsole(dataDir, { command: name, input }) : null;
  if (answered !== null) return output.parse(readAnswer(answered.text));
  const opened = await store();
  try {
    return output.parse(await answer(opened.db, input));
  } finally {
    await opened.close();
  }
}
