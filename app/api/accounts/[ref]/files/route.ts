import { addAccountFile } from "@/lib/accounts/casework";

export const POST = addAccountFile;
