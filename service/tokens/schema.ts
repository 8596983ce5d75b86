import { pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** base64url, made once. */
export const signingKey = pgTable("signing_key", {
  id: text("id").primaryKey(),
  secret: text("secret").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

/** Kept until they would have expired. */
export const revokedToken = pgTable("revoked_token", {
  tokenId: uuid("token_id").primaryKey(),
  clientId: text("client_id").notNull(),
  revokedAt: timestamp("revoked_at", { withTimezone: true }).notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
});
