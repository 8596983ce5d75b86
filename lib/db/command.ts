import { once } from "node:events";
import { chmodSync, rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { join, relative } from "node:path";
import { text as readText } from "node:stream/consumers";
import { z } from "zod";
import { env } from "@/lib/settings/env";
import { type Db, store } from "./connection";
import { log } from "@/lib/log/log";

/** The message is for the person at this machine's keyboard. */
export class CommandRefusal extends Error {}

type CommandHandler = (request: unknown) => Promise<unknown>;

// Relative, since a socket's path may have only about a hundred bytes.
const socketPath = (dataDir: string) => relative(process.cwd(), join(dataDir, "console.sock"));

/** Iterating would close our half along with theirs. */
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

/** A socket for this user alone, since only the console may open the embedded database. */
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

export async function askConsole(dataDir: string, request: unknown): Promise<{ text: string } | null> {
  const connection = createConnection(socketPath(dataDir));
  const isConnected = await once(connection, "connect").then(
    () => true,
    () => false,
  );
  if (!isConnected) return null;
  connection.end(JSON.stringify(request));
  return { text: await readText(connection) };
}

type CommandHandling<Input extends z.ZodType, Output extends z.ZodType> = {
  name: string;
  input: Input;
  /** JSON, so dates are texts. */
  output: Output;
  /** Throws `CommandRefusal`. */
  run: (db: Db, input: z.output<Input>) => Promise<z.input<Output>>;
};

type Command<Input extends z.ZodType, Output extends z.ZodType> = CommandHandling<Input, Output> & {
  answer: (db: Db, input: unknown) => Promise<unknown>;
};

export function command<Input extends z.ZodType, Output extends z.ZodType>(
  doing: CommandHandling<Input, Output>,
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

/** Runs in the console that holds the embedded database, otherwise here. Throws `CommandRefusal`, and as the store. */
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
