import { sql } from "drizzle-orm";
import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { NotedObject } from "@/lib/db/enums/notes";
import { bytes, instant, tenant } from "@/lib/db/columns";
import { staff } from "./staff";

const author = uuid("staff_id")
  .notNull()
  .references(() => staff.id);

/** Never changed; withdrawing it removes the text alone. */
export const caseworkNote = pgTable(
  "casework_note",
  {
    tenant,
    id: uuid("id").notNull(),
    object: text("object").$type<NotedObject>().notNull(),
    staffId: author,
    /** People write names into it. Null once withdrawn. */
    textSealed: text("text_sealed"),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    retractedAt: instant("retracted_at"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index("casework_note_of").on(table.tenant, table.object, table.createdAt),
  ],
);

/** The content is stored apart and deleted on removal. */
export const caseworkFile = pgTable(
  "casework_file",
  {
    tenant,
    id: uuid("id").notNull(),
    object: text("object").$type<NotedObject>().notNull(),
    staffId: author,
    /** People put names into it. */
    nameSealed: text("name_sealed").notNull(),
    mediaType: text("media_type").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    sha256: text("sha256").notNull(),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    removedAt: instant("removed_at"),
    removedBy: uuid("removed_by").references(() => staff.id),
    reasonSealed: text("reason_sealed"),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index("casework_file_of").on(table.tenant, table.object, table.createdAt),
  ],
);

/** Under its own key, so that changing the data key reseals the key alone. */
export const caseworkContent = pgTable(
  "casework_content",
  {
    tenant,
    fileId: uuid("file_id").notNull(),
    keySealed: text("key_sealed").notNull(),
    /** Initialisation vector, tag and ciphertext of AES-256-GCM; only its beginning when it is long. */
    bytes: bytes("bytes").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.fileId] }),
    foreignKey({
      columns: [table.tenant, table.fileId],
      foreignColumns: [caseworkFile.tenant, caseworkFile.id],
    }).onDelete("cascade"),
  ],
);

/** The rest of a long content, written before its file's row exists. */
export const caseworkPiece = pgTable(
  "casework_piece",
  {
    tenant,
    uploadId: uuid("upload_id").notNull(),
    nth: integer("nth").notNull(),
    fileId: uuid("file_id"),
    bytes: bytes("bytes").notNull(),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.uploadId, table.nth] }),
    index("casework_piece_of").on(table.tenant, table.fileId),
    foreignKey({
      columns: [table.tenant, table.fileId],
      foreignColumns: [caseworkContent.tenant, caseworkContent.fileId],
    }).onDelete("cascade"),
  ],
);
