import { startTemporaryProduct } from "@/scripts/temporary-product.mjs";
import { BRISK } from "./pace";

/** Starts the built product once for all stories; what they need to know of it is in the environment. */
export default async function startProduct() {
  const product = await startTemporaryProduct({ PORT: process.env["E2E_PORT"] ?? "", ...BRISK });
  process.env["E2E_SERVICE_URL"] = product.serviceUrl;
  process.env["E2E_CONTROL_TOKEN"] = product.controlToken;
  process.env["E2E_DATA_DIR"] = product.dataDir;
  process.env["E2E_LOG"] = product.log;
  return product.stop;
}
