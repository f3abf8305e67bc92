import { fileURLToPath } from "node:url";
import { build } from "vite";

/** Builds the package as it is published: one minified file, as a module, for a script tag or for `require`. */
export async function bundle(format: "es" | "cjs" | "iife" = "es"): Promise<string> {
  const configFile = fileURLToPath(new URL("../../vite.config.ts", import.meta.url));
  const result = await build({ configFile, logLevel: "silent", build: { write: false } });
  const outputs = (Array.isArray(result) ? result : [result]) as { output: { type: string; code: string }[] }[];
  const output = outputs[["es", "cjs", "iife"].indexOf(format)];
  const chunks = output?.output.filter(({ type }) => type === "chunk") ?? [];
  if (chunks.length !== 1) throw new Error(`the package became ${chunks.length} chunks`);
  return (chunks[0] as { code: string }).code;
}
