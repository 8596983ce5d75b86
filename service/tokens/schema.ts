import { pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

/** The key that signs access tokens, made once per installation (base64url). */
export const signingKey = pgTable("signing_key", {
  id: text("id").primaryKey(),
  secret: text("secret").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
});

/** Tokens ended before their time, kept until they would have expired. */
export const revokedToken = pgTable("revoked_token", {
  tokenId: uuid("token_id").primaryKey(),
  clientId: text("client_id").notNull(),
  revokedAt: timestamp("revoked_at", { withTimezone: true }).notNull(),
  expiresAt: timestamp("expires_at", { withTimezone: true }).notNull(),
});
