import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { root } from "@/scripts/program.mjs";

/** A program of this repository that runs beside the bench. */
export type Program = { child: ChildProcess; stop: () => Promise<void> };

/** A server that said where it serves. */
export type Server = Program & { origin: string };

type Launch = { file: string; environment?: Record<string, string>; nodeOptions?: readonly string[] };

/** Starts a TypeScript program of this repository, with no settings but those given; it inherits standard error. */
export function launch({ file, environment = {}, nodeOptions = [] }: Launch): Program {
  const child = spawn(process.execPath, [...nodeOptions, "--import", "tsx", file], {
    cwd: root,
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...environment },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  return { child, stop };
}

/** Rejects when the program ends; whoever stops it itself does not care. */
export function whenEnded({ child }: Program): Promise<never> {
  const ended = once(child, "exit").then(() => {
    throw new Error(`${child.spawnargs.join(" ")} ended with code ${child.exitCode}`);
  });
  ended.catch(() => undefined);
  return ended;
}

/** Starts a server and waits until it prints `… ready URL`. */
export async function startServer(how: Launch): Promise<Server> {
  const program = launch(how);
  let said = "";
  const ready = new Promise<string>((resolve) => {
    program.child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const [, origin] = / ready (http:\S+)\n/.exec(said) ?? [];
      if (origin) resolve(origin);
    });
  });
  const origin = await Promise.race([ready, whenEnded(program)]);
  return { ...program, origin };
}
