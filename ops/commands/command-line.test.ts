import { afterEach, expect, it, vi } from "vitest";
import { CommandRefusal } from "@/lib/db/command";
import { runCommandLine, UsageError } from "./command-line";

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

const refusing = (error: Error) => () => {
  throw error;
};

async function told(main: () => Promise<void>): Promise<unknown> {
  const complaint = vi.spyOn(console, "error").mockReturnValue();
  await runCommandLine("usage: this", main);
  expect(process.exitCode).toBe(1);
  return complaint.mock.calls;
}

it("answers a wrong command with its usage, before anything starts", async () => {
  expect(await told(refusing(new UsageError("Unknown option")))).toEqual([["Unknown option\nusage: this"]]);
  expect(await told(() => Promise.reject(new UsageError("Unknown option")))).toHaveLength(2);
});

it("explains a fixable error in a sentence, and hides no other", async () => {
  expect(await told(refusing(new CommandRefusal("nobody has that e-mail")))).toEqual([["nobody has that e-mail"]]);
  process.exitCode = undefined;
  await expect(runCommandLine("usage: this", refusing(new TypeError("a bug")))).rejects.toThrow("a bug");
});
