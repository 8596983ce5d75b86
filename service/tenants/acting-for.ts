import type { Call, Service } from "@/service/context";

/** The service acting for a tenant outside a request; null when the tenants file no longer has that tenant. */
export function actingFor(service: Service, clientId: string): Call | null {
  const tenant = service.tenants.find(clientId);
  return tenant ? { ...service, tenant } : null;
}
