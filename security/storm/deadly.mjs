// Preloaded into the console, which dies by kill -9 at the step of the write that DEADLY_FOLDER/order.json names.
import { subscribe } from "node:diagnostics_channel";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";

const folder = process.env.DEADLY_FOLDER ?? "";

const die = () => process.kill(process.pid, "SIGKILL");

function readOrder() {
  const file = join(folder, "order.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

/** Once the request is with the operating system, as far as can be known. */
const dieOnTheWire = () =>
  subscribe("http.client.request.start", ({ request }) => {
    if (request.method === "POST" && !request.path.includes("/authentication/")) die();
  });

if (folder !== "" && isMainThread && process.argv[1]?.endsWith("server/main.mjs")) {
  writeFileSync(join(folder, "pid"), String(process.pid));
  subscribe("retaguarda:intent", ({ step, intentId }) => {
    const order = readOrder();
    if (order.intentId !== intentId) return;
    if (order.step === step) die();
    if (order.step === "on-the-wire" && step === "send-noted") dieOnTheWire();
  });
}
