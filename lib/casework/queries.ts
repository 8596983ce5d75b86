import { env } from "@/lib/env";

/** Whether files are looked at for malware before they are kept. */
export const scansFiles = (): boolean => env().scanner !== null;
