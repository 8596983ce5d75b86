import { readiness } from "@/lib/process/health";

export const dynamic = "force-dynamic";

/** As `/api/health/ready`. */
export const GET = readiness;
