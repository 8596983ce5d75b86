import { join, resolve } from "node:path";
import { z } from "zod";
import { isKey, keyFile } from "@/lib/keys";
import { SettingError } from "@/lib/setting";

/** What signs where the audit record ends, and where that is kept. */
export const AUDIT_SETTINGS = {
  AUDIT_KEY: z
    .string()
    .refine((text) => isKey(text), { error: "must be 32 bytes in base64" })
    .optional(),
  AUDIT_HEADS_DIR: z.string().min(1).optional(),
};

export type AuditSettings = {
  /** 32 bytes: the private half of an Ed25519 key. */
  auditKey: Buffer;
  auditHeadsDir: string;
};

type Given = {
  AUDIT_KEY?: string | undefined;
  AUDIT_HEADS_DIR?: string | undefined;
  DATABASE_URL?: string | undefined;
  DATA_DIR: string;
};

function keyOf({ AUDIT_KEY, DATABASE_URL, DATA_DIR }: Given): string {
  if (AUDIT_KEY !== undefined) return AUDIT_KEY;
  if (DATABASE_URL !== undefined) throw new SettingError("AUDIT_KEY: is required with DATABASE_URL");
  return keyFile(resolve(DATA_DIR), "audit.key");
}

/** Throws `SettingError`; the key is made on first start, unless instances share a database. */
export const auditSettingsOf = (given: Given): AuditSettings => ({
  auditKey: Buffer.from(keyOf(given), "base64"),
  auditHeadsDir: resolve(/* turbopackIgnore: true */ given.AUDIT_HEADS_DIR ?? join(given.DATA_DIR, "audit-heads")),
});
