import { env } from "@/lib/settings/env";

/** Whether files are looked at for malware before they are kept. */
export const scansFiles = (): boolean => env().scanner !== null;
