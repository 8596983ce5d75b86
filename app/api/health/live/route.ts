import { liveness } from "@/lib/boot/health";

export const dynamic = "force-dynamic";

export const GET = liveness;
