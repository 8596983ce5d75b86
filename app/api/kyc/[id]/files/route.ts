import { addCaseFile } from "@/lib/kyc/events";

export const POST = addCaseFile;
