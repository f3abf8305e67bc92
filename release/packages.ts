import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  workspaces?: string[];
  repository?: { url: string };
  main?: string;
  module?: string;
  types?: string;
  unpkg?: string;
  jsdelivr?: string;
  bin?: Record<string, string>;
  exports?: Record<string, unknown>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export interface Package {
  /** From the root of the repository; the root's own is "". */
  folder: string;
  manifest: Manifest;
}

export const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** The packages of the repository, its root first. */
export function packagesOf(root: string): Package[] {
  const manifest = manifestOf(root);
  const folders = ["", ...(manifest.workspaces ?? [])];
  return folders.map((folder) => ({ folder, manifest: manifestOf(join(root, folder)) }));
}
