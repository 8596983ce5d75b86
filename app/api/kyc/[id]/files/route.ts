import { addCaseFile } from "@/lib/kyc/decisions";

export const POST = addCaseFile;
