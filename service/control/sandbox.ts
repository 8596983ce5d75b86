import type { Service } from "@/service/context";
import type { Billing } from "@/service/tenants/billing";
import type { Faults } from "./faults";

/** What the control routes steer, beside the service itself. */
export type Sandbox = Service & { billing: Billing; faults: Faults; runDue: () => Promise<void> };
