import { readiness } from "@/lib/process/health";

export const dynamic = "force-dynamic";

/** Whether requests may be sent here: 503 while the store does not answer. */
export const GET = readiness;
