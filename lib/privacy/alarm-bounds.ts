import { changePair } from "@/lib/audit/change-pair";
import {
  changeSetting,
  listSettingSteps,
  readSetting,
  type SettingStep,
  type TenantSetting,
} from "@/lib/audit/tenant-setting";
import { db } from "@/lib/db/connection";
import { publish } from "@/lib/db/publish";
import type { Actor } from "@/lib/permission/grant";
import { type AlarmBounds, BOUND_NAMES, STANDARD_BOUNDS } from "./alarm-view";
import { AlarmBoundsForm } from "./inputs";

export const ALARM_BOUNDS: TenantSetting<AlarmBounds> = {
  name: "alarm-bounds",
  schema: AlarmBoundsForm.omit({ version: true }),
  standard: STANDARD_BOUNDS,
  code: "settings.alarm-bounds",
  detail: (before, after) =>
    Object.fromEntries(
      BOUND_NAMES.flatMap((name) => (before[name] === after[name] ? [] : changePair(name, before[name], after[name]))),
    ),
};

export type BoundsView = { version: number; bounds: AlarmBounds; history: SettingStep<AlarmBounds>[] };

export async function readAlarmBounds({ tenant }: Actor<"settings:manage">): Promise<BoundsView> {
  const store = await db();
  const { version, value: bounds } = await readSetting(store, tenant, ALARM_BOUNDS);
  return { version, bounds, history: await listSettingSteps(store, tenant, ALARM_BOUNDS) };
}

/** Holds from the next reveal on. Throws conflict `setting-changed` when somebody saved other bounds meanwhile. */
export async function changeAlarmBounds(
  { tenant, id: actor }: Actor<"settings:manage">,
  { version: seen, ...value }: AlarmBoundsForm,
): Promise<{ version: number; bounds: AlarmBounds }> {
  const saved = await (
    await db()
  ).transaction(async (tx) => {
    await publish(tx, { tenant, topic: "audit" });
    return changeSetting(tx, ALARM_BOUNDS, { tenant, actor, seen, value });
  });
  return { version: saved.version, bounds: saved.value };
}
