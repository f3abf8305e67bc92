import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Tidings } from "../../../../sdk/node/src/index.ts";
import { curlOf, nodeOf } from "./call-text.ts";

const sources = fileURLToPath(new URL("../..", import.meta.url));

test("each call that a room writes down for Node.js is a method of the client", () => {
  const client = new Tidings({ baseUrl: "http://localhost", secretKey: "tid_sec_x" }) as object;
  const written = readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx"))
    .flatMap((file) => [...readFileSync(`${sources}/${file}`, "utf8").matchAll(/\bnode: "([\w.]+)"/g)])
    .map(([, name = ""]) => name);
  expect(written.length).toBeGreaterThan(20);
  const methodOf = (name: string) =>
    name.split(".").reduce<unknown>((of, part) => (of as Record<string, unknown>)?.[part], client);
  expect(written.filter((name) => typeof methodOf(name) !== "function")).toEqual([]);
});

test("an upload is written as a form with the file", () => {
  const call = { method: "POST", path: "/api/v1/media", node: "media.upload", file: "logo.png" } as const;
  expect(curlOf(call, "https://tidings.example")).toBe(
    [
      "curl 'https://tidings.example/api/v1/media'",
      '-H "Authorization: Bearer $TIDINGS_KEY"',
      "-F 'file=@logo.png'",
    ].join(" \\\n  "),
  );
  expect(nodeOf(call)).toContain('tidings.media.upload({ file: await openAsBlob("logo.png") })');
});
