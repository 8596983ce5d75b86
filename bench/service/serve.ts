/** What both kinds of server here can do. */
type Listener = {
  listen: (port: number, host: string, then: () => void) => unknown;
  address: () => { port: number } | string | null;
};

/** Serves on a free port of this machine, says so as the service does, and ends on SIGTERM. */
export function serve(name: string, server: Listener): void {
  process.once("SIGTERM", () => process.exit(0));
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    process.stdout.write(`${name} ready http://127.0.0.1:${port}\n`);
  });
}
