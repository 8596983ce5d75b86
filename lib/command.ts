import { z } from "zod";
import { CommandRefusal } from "@/lib/command-refusal";
import { askConsole } from "@/lib/command-socket";
import { env } from "@/lib/env";
import { type Db, store } from "@/lib/store/store";

type Doing<Input extends z.ZodType, Output extends z.ZodType> = {
  /** `area:verb`. */
  name: string;
  input: Input;
  /** What comes back over the socket: JSON, so dates are texts. */
  output: Output;
  /** Throws `CommandRefusal` for what it will not do. */
  run: (db: Db, input: z.output<Input>) => Promise<z.input<Output>>;
};

export type Command<Input extends z.ZodType, Output extends z.ZodType> = Doing<Input, Output> & {
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
