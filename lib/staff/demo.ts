import type { Role } from "@/lib/auth/permission";

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
