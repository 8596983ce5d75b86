import { addCaseFile } from "@/lib/kyc/uploads";

export const POST = addCaseFile;
