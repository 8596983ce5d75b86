import { type Role, ROLES } from "@/lib/auth/permission";

/** Public on purpose: these people exist with the embedded service only and are refused against any other provider. */
export const DEMO_PASSWORD = "retaguarda-demo";

export const DEMO_NAMES: Readonly<Record<Role, string>> = {
  support: "Beatriz Nogueira",
  compliance: "Rafael Tavares",
  finance: "Helena Prado",
  approver: "Marcos Azevedo",
  auditor: "Lívia Sampaio",
  admin: "Otávio Brandão",
};

export function demoEmail(role: Role): string {
  return `${role}@retaguarda.demo`;
}

/** Another administrator, without whom the demo's first one could make nobody an approver. */
export const DEMO_SECOND_ADMIN = { email: "admin2@retaguarda.demo", name: "Camila Duarte", role: "admin" } as const;

/** Everybody of the demo: one a role, and the second administrator. */
export const DEMO_PEOPLE: readonly { email: string; name: string; role: Role }[] = [
  ...ROLES.map((role) => ({ role, email: demoEmail(role), name: DEMO_NAMES[role] })),
  DEMO_SECOND_ADMIN,
];
