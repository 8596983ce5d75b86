import { z } from "zod";
import { command } from "@/lib/db/command";
import { env } from "@/lib/settings/env";
import { RETENTION_CLASS_NAMES } from "./view";
import { readRetention, runRetention } from "./retention";
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

const ClassName = z.enum(RETENTION_CLASS_NAMES);

export const checkRetention = command({
  name: "retention:check",
  input: z.object({}),
  output: z.array(
    z.object({
      tenant: z.string(),
      classes: z.array(
        z.object({ name: ClassName, days: z.number().nullable(), isShort: z.boolean(), due: z.number() }),
      ),
    }),
  ),
  run: async (db) => {
    const states = [];
    for (const { clientId: tenant } of env().tenants) {
      states.push({ tenant, classes: await readRetention(db, tenant) });
    }
    return states;
  },
});

/** Deletes everything past its retention, at each tenant. */
export const applyRetention = command({
  name: "retention:run",
  input: z.object({}),
  output: z.array(z.object({ tenant: z.string(), classes: z.array(z.object({ name: ClassName, rows: z.number() })) })),
  run: async (db) => {
    const taken = [];
    for (const { clientId: tenant } of env().tenants) {
      taken.push({ tenant, classes: await runRetention(db, { tenant, by: "command", isDaily: false }) });
    }
    return taken;
  },
});
