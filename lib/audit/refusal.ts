import { type Permission, rolesWith } from "@/lib/auth/permission";
import { db } from "@/lib/store/store";
import { refusalCode } from "./codes";
import { record } from "./record";

type Who = { tenant: string; staffId: string };

/** Puts on record that somebody tried to read what their roles do not grant. */
export async function recordRefusedRead({ tenant, staffId: actor }: Who, permission: Permission): Promise<void> {
  const detail = { needs: rolesWith(permission).join(","), how: "read" };
  await record(await db(), { tenant, actor, code: refusalCode(permission), outcome: "REFUSED", detail });
}
