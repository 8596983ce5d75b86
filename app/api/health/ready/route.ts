import { readiness } from "@/lib/process/health";

export const dynamic = "force-dynamic";

export const GET = readiness;
