import { describe, expect, test } from "vitest";
import { readConfig } from "../../platform/config.ts";
import { addressOf } from "./address.ts";

const found = (env: Record<string, string>, url?: string) => addressOf(url, () => readConfig(env));

describe("the service that a command calls", () => {
  test.each([
    [{}, "http://localhost:4000"],
    [{ PORT: "5000" }, "http://localhost:5000"],
    [{ PORT: "5000", HOST: "0.0.0.0" }, "http://localhost:5000"],
    [{ PORT: "5000", HOST: "10.0.0.7" }, "http://10.0.0.7:5000"],
    [{ PORT: "5000", HOST: "fd00::7" }, "http://[fd00::7]:5000"],
    [{ PORT: "5000", PUBLIC_URL: "https://tidings.acme.test" }, "http://localhost:5000"],
  ])("is on the address on which it listens with %j", (env, address) => expect(found(env)).toBe(address));

  test("is on the address of --url, with any environment", () => {
    expect(found({ PORT: "nonsense" }, "https://tidings.acme.test/")).toBe("https://tidings.acme.test");
  });

  test("needs --url if the service chooses the port, and --url must be an address", () => {
    expect(() => found({ PORT: "0" })).toThrow("--url");
    expect(() => found({}, "nowhere")).toThrow("is not an address");
  });
});
