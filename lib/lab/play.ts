import { z } from "zod";
import { record } from "@/lib/audit/record";
import { db } from "@/lib/db/connection";
import type { Actor } from "@/lib/permission/grant";
import { labOrNothing, steer } from "./control";
import type { ScenarioRequest } from "./inputs";

/** On record before it is sent. 404 without a lab; else throws what `steer` does. */
export async function play(player: Actor<"settings:manage">, { scenario, request }: ScenarioRequest): Promise<null> {
  labOrNothing();
  const { tenant, id } = player;
  const asked = await request(player);
  await record(await db(), { tenant, actor: id, code: "lab.play", outcome: "DONE", detail: { scenario } });
  if ("here" in asked) await asked.here();
  else await steer(asked, z.unknown());
  return null;
}
