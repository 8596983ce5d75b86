// What costs memory, connections and time.
import { existsSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "./requests.mjs";

const MIB = 1024 * 1024;
const MOST_GROWTH = 96 * MIB;

/** The console's process among those that `npm start` runs; undefined where the system does not tell. */
function consolePid({ pid }) {
  const children = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(children)) return undefined;
  const pids = readFileSync(children, "utf8").trim().split(" ");
  return pids.find((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes("server/main.mjs"));
}

const residentBytes = (pid) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;

const PATHS = [
  "/",
  "/kyc",
  "/sign-in",
  "/api/hooks/demo",
  "/api/auth/callback/credentials",
  "/api/csp-reports",
  "/api/session",
  "/api/kyc/1/files",
  "/api/kyc",
  "/_next/static/nothing.js",
];

/** Sends 64 MiB in chunks for as long as the line is open; answers the status, or `cut`. */
function sendEndlessly(url, path, headers) {
  return new Promise((resolve) => {
    const sending = request(new URL(path, url), {
      method: "POST",
      agent: false,
      headers: { origin: url, "transfer-encoding": "chunked", ...headers },
    });
    sending.once("response", (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sending.once("error", () => resolve("cut"));
    const chunk = Buffer.alloc(MIB);
    let sent = 0;
    const more = () => {
      while (sent < 64 && !sending.destroyed) {
        sent += 1;
        if (!sending.write(chunk)) return void sending.once("drain", more);
      }
      sending.end();
    };
    more();
  });
}

export async function floodWithBodies(product) {
  const pid = consolePid(product);
  const before = pid && residentBytes(pid);
  let most = before;
  const watch = pid && setInterval(() => (most = Math.max(most, residentBytes(pid))), 50);
  const statuses = new Map();
  for (const headers of [{}, { "next-action": "7f".repeat(21) }]) {
    for (const path of PATHS) {
      const answers = await Promise.all([1, 2, 3, 4].map(() => sendEndlessly(product.url, path, headers)));
      for (const status of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  clearInterval(watch);
  const { status: health } = await ask(product.url, "/api/health");
  const answered = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
  const memory = pid
    ? `resident ${Math.round(before / MIB)} MiB before, ${Math.round(most / MIB)} MiB at most`
    : "memory not known here";
  const areRefused = [...statuses.keys()].every((status) => [411, 413, "cut"].includes(status));
  return {
    came: `${answered}; ${memory}`,
    isRepelled: areRefused && health === 200 && (!pid || most - before < MOST_GROWTH),
  };
}

/** What comes back on a line on which these bytes go out and then one more each second, and after how long it is closed. */
function dribble({ url }, head) {
  const { port, hostname } = new URL(url);
  const startedAtMs = performance.now();
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(head));
    const drip = setInterval(() => socket.writable && socket.write("1"), 1_000);
    let text = "";
    socket.on("data", (bytes) => (text += bytes.toString("latin1")));
    socket.once("error", () => undefined);
    socket.once("close", () => {
      clearInterval(drip);
      resolve({ status: text.slice(9, 12), seconds: Math.round((performance.now() - startedAtMs) / 1000) });
    });
  });
}

export async function sendSlowly(product) {
  const lines = await Promise.race([
    Promise.all([
      dribble(product, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "),
      dribble(product, `POST /kyc HTTP/1.1\r\nHost: x\r\nOrigin: ${product.url}\r\nContent-Length: 1000\r\n\r\n`),
    ]),
    pause(60_000, []),
  ]);
  const came = lines.map(({ status, seconds }) => `${status} after ${seconds} s`).join(", ") || "still open after 60 s";
  return { came, isRepelled: lines.length === 2 && lines.every(({ status }) => status === "408") };
}

export async function floodWithConnections({ url }) {
  const { port } = new URL(url);
  const sockets = Array.from({ length: 700 }, () => connect(Number(port), "127.0.0.1").once("error", () => undefined));
  await pause(2_000);
  const open = sockets.filter(({ readyState }) => readyState === "open").length;
  for (const socket of sockets) socket.destroy();
  await pause(500);
  const { status } = await ask(url, "/api/health");
  return { came: `${open} of them stay open; health afterwards: ${status}`, isRepelled: open <= 512 && status === 200 };
}
