import { z } from "zod";
import { verifyRecord } from "@/lib/audit-trail/commands";
import { CommandRefusal } from "@/lib/db/command";
import { examineStore } from "./doctor";
import { applyRetention, checkKeys, checkRetention, rotateKeys } from "@/lib/privacy/commands";
import {
  addPerson,
  addressesByCommand,
  disableAccount,
  enableAccount,
  inviteByCommand,
  linkByCommand,
  listPeople,
  resetSecondFactor,
  setBreakGlassAccount,
  setPersonRoles,
} from "@/lib/staff/commands";
import type { Db } from "@/lib/db/connection";

type Answering = { name: string; answer: (db: Db, input: unknown) => Promise<unknown> };

/** The commands that a running console executes when it holds the embedded database. */
export const COMMANDS: readonly Answering[] = [
  examineStore,
  verifyRecord,
  addPerson,
  listPeople,
  setBreakGlassAccount,
  setPersonRoles,
  addressesByCommand,
  disableAccount,
  enableAccount,
  resetSecondFactor,
  inviteByCommand,
  linkByCommand,
  checkKeys,
  rotateKeys,
  checkRetention,
  applyRetention,
];

const Request = z.object({ command: z.string(), input: z.unknown() });

export async function answerCommand(db: Db, request: unknown): Promise<unknown> {
  const { command: name, input } = Request.parse(request);
  const asked = COMMANDS.find((command) => command.name === name);
  if (asked === undefined) throw new CommandRefusal(`the running console knows no ${name}; is it of another version?`);
  return asked.answer(db, input);
}
