import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DurablePostgres, startDurablePostgres } from "@/bench/service/durable-postgres";
import { type Service, startService } from "@/bench/service/service-process";

const newKey = () => randomBytes(32).toString("base64");

/** A real service, and a PostgreSQL server for the consoles that share a store; both thrown away at the end. */
export type Product = {
  service: Service;
  postgres: DurablePostgres;
  /**
   * The environment of a console process: all of them share one store. `baseUrl` is where it finds the provider: the
   * service, or a proxy in front of it.
   */
  consoleEnvironment: (baseUrl: string) => Record<string, string>;
};

type Wish = { serviceEnvironment?: Record<string, string> };

/** Runs `measure` beside a product of its own, and leaves nothing behind. */
export async function withProduct<Measured>(
  { serviceEnvironment = {} }: Wish,
  measure: (product: Product, onClose: (close: () => Promise<void>) => void) => Promise<Measured>,
): Promise<Measured> {
  const dataDir = mkdtempSync(join(tmpdir(), "retaguarda-bench-"));
  const closing: (() => Promise<void>)[] = [async () => rmSync(dataDir, { recursive: true, force: true })];
  const onClose = (close: () => Promise<void>) => void closing.unshift(close);
  try {
    const postgres = await startDurablePostgres();
    onClose(postgres.stop);
    const service = await startService({
      databaseUrl: await postgres.createDatabase("service"),
      environment: serviceEnvironment,
    });
    onClose(service.stop);
    const databaseUrl = await postgres.createDatabase("console");
    const keys = { DATA_KEY: newKey(), AUTH_SECRET: newKey(), AUDIT_KEY: newKey() };
    const consoleEnvironment = (baseUrl: string) => ({
      BANK_BASE_URL: baseUrl,
      BANK_CLIENT_ID: service.tenant.clientId,
      BANK_CLIENT_SECRET: service.tenant.clientSecret,
      BANK_ENVIRONMENT: "SANDBOX",
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      ...keys,
    });
    return await measure({ service, postgres, consoleEnvironment }, onClose);
  } finally {
    for (const close of closing) await close();
  }
}
