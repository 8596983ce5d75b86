import { z } from "zod";
import { Flag, numberOrNull, TextOrEmpty } from "@/lib/contract/shared";

/** Answer of POST /v1/authentication/oauth/access-token, 201 (interface: Resources › Token). */
export const Token = z.looseObject({
  access_token: z.string().min(1),
  token_type: z.string(),
  /** Seconds. */
  expires_in: z.number().int(),
  issued_at: z.string(),
  scope: z.string(),
});
export type Token = z.infer<typeof Token>;

const ActiveToken = z.looseObject({
  active: z.literal(true),
  client_id: z.string(),
  token_type: z.string(),
  /** Epoch seconds. */
  exp: z.number().int(),
  iat: z.number().int(),
  issued_at: z.string(),
  expires_at: z.string(),
  scope: z.string(),
});

const InactiveToken = z.looseObject({ active: z.literal(false), reason: z.string() });

/** Answer of POST /v1/authentication/oauth/introspect, 201. */
export const Introspection = z.discriminatedUnion("active", [ActiveToken, InactiveToken]);
export type Introspection = z.infer<typeof Introspection>;

export const ReportedToken = z.looseObject({
  active: Flag,
  reason: TextOrEmpty,
  client_id: TextOrEmpty,
  token_type: TextOrEmpty,
  exp: numberOrNull("integer"),
  iat: numberOrNull("integer"),
  issued_at: TextOrEmpty,
  expires_at: TextOrEmpty,
  scope: TextOrEmpty,
});
export type ReportedToken = z.infer<typeof ReportedToken>;

/** Answer of POST /v1/authentication/oauth/revoke, 200; `when` in epoch milliseconds. */
export const Revocation = z.looseObject({ body: z.string(), when: z.number() });
export type Revocation = z.infer<typeof Revocation>;
