import { readiness } from "@/lib/health";

export const dynamic = "force-dynamic";

/** Whether requests may be sent here: 503 while the store does not answer. */
export const GET = readiness;
