import { FILE_MOST_BYTES } from "@/lib/casework-terms";
import { upload } from "@/lib/upload";
import { putToCase } from "./files";

/** Takes a file for a case, from the screen that shows it. */
export const addCaseFile = upload("kyc:note", FILE_MOST_BYTES, putToCase);
