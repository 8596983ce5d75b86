// Runs a throw-away server as long as its standard input is open, which closes with the starting process in any
// case, even kill -9 or Ctrl-C; then the server is stopped and its directory removed.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";

const { directory, command, args, identity } = JSON.parse(process.argv[2]);

const server = spawn(command, args, { ...identity, cwd: directory, stdio: ["ignore", "ignore", "inherit"] });
const stop = () => server.kill("SIGQUIT");
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
process.stdin.on("close", stop).resume();

server.on("error", (error) => console.error(error.message));
server.on("close", (code) => {
  rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  process.exit(code === 0 ? 0 : 1);
});
