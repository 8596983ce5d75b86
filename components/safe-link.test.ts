import { describe, expect, it } from "vitest";
import { splitHost } from "./safe-link";

describe("the host of a provider's link", () => {
  it.each([
    ["biometria.provedor.com.br", "biometria.", "provedor.com.br"],
    ["biometria.provedor.com.br.golpe.example", "biometria.provedor.com.", "br.golpe.example"],
    ["provedor.com", "", "provedor.com"],
    ["localhost:4010", "", "localhost:4010"],
  ])("%s keeps its end together", (host, head, tail) => {
    expect(splitHost(host)).toEqual({ head, tail });
  });
});
