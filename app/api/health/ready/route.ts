import { readiness } from "@/lib/boot/health";

export const dynamic = "force-dynamic";

export const GET = readiness;
