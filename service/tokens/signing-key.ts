import { eq } from "drizzle-orm";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import { signingKey } from "./schema";

const ID = "access-token";

/** The installation's signing key; made on first use, so that tokens outlive a restart. */
export async function loadSigningKey({ db, random, clock }: Service): Promise<Uint8Array> {
  const secret = Buffer.from(random(32)).toString("base64url");
  await db
    .insert(signingKey)
    .values({ id: ID, secret, createdAt: instant(clock) })
    .onConflictDoNothing();
  const [row] = await db.select().from(signingKey).where(eq(signingKey.id, ID));
  if (!row) throw new Error("the signing key could not be stored");
  return Buffer.from(row.secret, "base64url");
}
