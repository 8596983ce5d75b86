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

export function decodedHeaders(data: string): { subject: string; to: string } {
  const lines = data.replaceAll(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  const of = (name: string) => {
    const line = lines.find((one) => one.startsWith(`${name}: `)) ?? "";
    return line
      .slice(name.length + 2)
      .replaceAll(/\?= =\?UTF-8\?Q\?/gi, "")
      .replaceAll(/=\?UTF-8\?([QB])\?(.*?)\?=/gi, (_, way: string, said: string) =>
        way.toUpperCase() === "B"
          ? Buffer.from(said, "base64").toString()
          : decodeURIComponent(said.replaceAll("_", "%20").replaceAll("=", "%")),
      );
  };
  return { subject: of("Subject"), to: of("To").replaceAll(/\\(.)/g, "$1") };
}

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
