import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export type Received = { to: string[]; data: string };

export const bodyOf = ({ data }: { data: string }) =>
  Buffer.from(
    data
      .split(/\r?\n\r?\n/)
      .slice(1)
      .join("\n")
      .replaceAll(/=\r?\n/g, ""),
    "latin1",
  ).toString();

/** A mail server on its own port: its received mails and its address. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        received.push({ to: envelope.rcptTo.map(({ address }) => address), data: Buffer.concat(chunks).toString() });
        done();
      });
    },
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    received,
    settings: { server: new URL(`smtp://127.0.0.1:${port}`), from: "desk@aurora.example" },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
