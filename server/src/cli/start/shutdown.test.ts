import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";

const SHUTDOWN = new URL("shutdown.ts", import.meta.url).href;

/** Runs a process with one part to stop, and sends it SIGTERM. @param end the code of the promise that stopping the part returns */
async function stopped(end: string): Promise<{ code: number; out: string }> {
  const script = `
    const { onSignals } = await import(${JSON.stringify(SHUTDOWN)});
    onSignals((message) => console.log(message)).add(() => ${end}, () => console.log("killed"));
    setInterval(() => {}, 1_000);
    console.log("ready");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (out === "") child.kill("SIGTERM");
    out += text;
  });
  const [code] = (await once(child, "close")) as [number];
  return { code, out };
}

test("a stop that takes longer than 10 s kills what is left, and the process ends with 1", async () => {
  const { code, out } = await stopped("new Promise(() => {})");
  expect(out).toBe("ready\nstopping\nthe stop took too long: ending by force\nkilled\n");
  expect(code).toBe(1);
}, 30_000);

test("a part that fails to stop is named, and the process ends with 1", async () => {
  const { code, out } = await stopped('Promise.reject(new Error("no such lock"))');
  expect(out).toBe("ready\nstopping\nwhile stopping: no such lock\n");
  expect(code).toBe(1);
});

test("a stop in order ends with 0", async () => {
  expect(await stopped("Promise.resolve()")).toEqual({ code: 0, out: "ready\nstopping\n" });
});
