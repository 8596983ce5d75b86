import { type Role, ROLES } from "@/lib/auth/permission";
import { env } from "@/lib/env";
import { DEMO_PASSWORD, demoEmail } from "./demo";

export type DemoSignIn = { role: Role; email: string; password: string };

/** The demo's people, to fill the sign-in form with; none unless the embedded service is the provider. */
export function listDemoSignIns(): DemoSignIn[] {
  if (!env().isEmbedded) return [];
  return ROLES.map((role) => ({ role, email: demoEmail(role), password: DEMO_PASSWORD }));
}
