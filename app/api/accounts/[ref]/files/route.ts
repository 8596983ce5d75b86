import { addAccountFile } from "@/lib/accounts/notes";

export const POST = addAccountFile;
