import { readiness } from "@/lib/health";

export const dynamic = "force-dynamic";

/** As `/api/health/ready`. */
export const GET = readiness;
