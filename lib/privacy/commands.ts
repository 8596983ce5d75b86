import { z } from "zod";
import { command } from "@/lib/command";
import { readKeyState, rotateRound } from "./rotation";

const KeyState = z.object({
  keys: z.array(z.object({ key: z.string(), values: z.number(), use: z.enum(["seals", "opens", "unknown"]) })),
  othersWantedUntil: z.string().nullable(),
  hasKeyFiles: z.boolean(),
});

export const checkKeys = command({
  name: "keys:check",
  input: z.object({}),
  output: KeyState,
  run: (db) => readKeyState(db),
});

export const rotateKeys = command({
  name: "keys:rotate",
  input: z.object({ isFirst: z.boolean() }),
  output: z.object({ key: z.string(), resealed: z.number(), unreadable: z.number(), isDone: z.boolean() }),
  run: rotateRound,
});
