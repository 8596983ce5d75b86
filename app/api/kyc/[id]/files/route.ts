import { addCaseFile } from "@/lib/kyc/files";

export const POST = addCaseFile;
