const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether the host of an address (`URL.hostname`) is this very machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.has(hostname);
}
