import { connect } from "node:tls";

const PATIENCE_MS = 5_000;

/** When the certificate that this address shows ends, trusted or not; null without https, or when it cannot be read. */
export function certificateEnd({ protocol, hostname, port }: URL): Promise<Date | null> {
  if (protocol !== "https:") return Promise.resolve(null);
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname,
      servername: hostname,
      port: Number(port || 443),
      rejectUnauthorized: false,
    });
    const end = (at: Date | null) => {
      socket.destroy();
      resolve(at);
    };
    socket.setTimeout(PATIENCE_MS, () => end(null));
    socket.once("error", () => end(null));
    socket.once("secureConnect", () => {
      const until = new Date(socket.getPeerCertificate().valid_to);
      end(Number.isNaN(until.getTime()) ? null : until);
    });
  });
}
