import { describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

const problems = (env: Record<string, string>): string[] => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe("configuration", () => {
  test("without any variable the configuration has the contract's defaults", () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      host: "127.0.0.1",
      port: 4000,
      publicUrl: "http://localhost:4000",
      databaseUrl: undefined,
      logLevel: "info",
    });
    expect(config.dataDir).toMatch(/\.tidings$/);
    expect([...config.roles]).toEqual(["api", "worker"]);
  });

  test("the operations port has an address of its own, by default on this machine", () => {
    expect(readConfig({}).operations).toBeUndefined();
    expect(readConfig({ OPERATIONS_PORT: "9464" }).operations).toEqual({ host: "127.0.0.1", port: 9464 });
    expect(readConfig({ OPERATIONS_PORT: "9464", OPERATIONS_HOST: "::" }).operations).toEqual({
      host: "::",
      port: 9464,
    });
    expect(problems({ OPERATIONS_HOST: "::" })).toEqual(["OPERATIONS_HOST needs OPERATIONS_PORT beside it"]);
    expect(problems({ OPERATIONS_PORT: "4000" })).toEqual(["OPERATIONS_PORT must be another port than PORT"]);
  });

  test("each wrong variable is reported on its own line, without its value", () => {
    const found = problems({
      PORT: "99999",
      ROLES: "cook",
      LOG_LEVEL: "loud",
      DATABASE_URL: "mysql://root:hunter2@db/x",
      ENCRYPTION_KEY: "c2hvcnQ=",
    });
    expect(found).toHaveLength(5);
    expect(found.map((line) => line.split(" ")[0]).sort()).toEqual([
      "DATABASE_URL",
      "ENCRYPTION_KEY",
      "LOG_LEVEL",
      "PORT",
      "ROLES",
    ]);
    expect(found.join()).not.toMatch(/hunter2|c2hvcnQ/);
  });

  test("an external database needs an ENCRYPTION_KEY, and its direct address the other one", () => {
    expect(problems({ DATABASE_DIRECT_URL: "postgres://127.0.0.1/x" })).toEqual([
      expect.stringMatching(/^DATABASE_DIRECT_URL needs DATABASE_URL/),
    ]);
    expect(problems({ DATABASE_READ_URL: "postgres://127.0.0.1/x", DATABASE_READ_LAG_SECONDS: "1" })).toEqual([
      expect.stringMatching(/^DATABASE_READ_LAG_SECONDS must be/),
      expect.stringMatching(/^DATABASE_READ_URL needs DATABASE_URL/),
    ]);
    expect(problems({ DATABASE_URL: "postgres://127.0.0.1/x" })).toEqual([
      expect.stringMatching(/^ENCRYPTION_KEY is required/),
    ]);
    expect(
      problems({ DATABASE_URL: "postgres://127.0.0.1/x", ENCRYPTION_KEY: Buffer.alloc(32).toString("base64") }),
    ).toEqual([]);
  });

  test("NATS_URL is split into its parts, and the servers, which are logged, contain no secret", () => {
    expect(readConfig({ NATS_URL: "nats://a, nats://b:4333/" }).nats).toEqual({
      servers: ["a:4222", "b:4333"],
      tls: false,
    });
    const nats = readConfig({ NATS_URL: "tls://ada:p%40ss@[::1]:4222,tls://ada:p%40ss@b" }).nats;
    expect(nats).toEqual({ servers: ["[::1]:4222", "b:4222"], tls: true, user: "ada", pass: "p@ss" });
    expect(nats?.servers.join()).not.toMatch(/ada|p@ss|p%40ss/);
    expect(readConfig({ NATS_URL: "nats://s3cret@a" }).nats).toEqual({
      servers: ["a:4222"],
      tls: false,
      token: "s3cret",
    });
  });

  test.each([
    ["http://hunter2@a", "must be nats:// or tls://"],
    ["a:4222", "must be nats:// or tls://"],
    ["nats://a,", "must be nats:// or tls://"],
    ["nats://a:99999", "must be nats:// or tls://"],
    ["nats://a/path", "nothing behind it"],
    ["nats://", "must "],
    ["nats://a,tls://b", "the same scheme"],
    ["nats://x:hunter2@a,nats://b", "the same credentials"],
    ["nats://x:%E0%A4hunter2@a", "percent-encoded"],
  ])("NATS_URL=%s is one readable problem", (NATS_URL, sentence) => {
    const found = problems({ NATS_URL });
    expect(found).toEqual([expect.stringMatching(/^NATS_URL /)]);
    expect(found[0]).toContain(sentence);
    expect(found[0]).not.toContain("hunter2");
  });

  test("an empty variable is an unset one", () => {
    expect(readConfig({ PORT: "", HOST: "  " })).toMatchObject({ port: 4000, host: "127.0.0.1" });
  });

  test("a bootstrap key must be of its kind", () => {
    expect(problems({ BOOTSTRAP_SECRET_KEY: "tid_pub_abcdefgh12345" })).toHaveLength(1);
    expect(
      problems({ BOOTSTRAP_SECRET_KEY: "tid_sec_abcdefgh12345", BOOTSTRAP_PUBLIC_KEY: "tid_pub_abcdefgh12345" }),
    ).toEqual([]);
  });
});
