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
  /** The path from the root of the repository; "" for the root package. */
  folder: string;
  manifest: Manifest;
}

export const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Returns the packages of the repository, the root package first. */
export function packagesOf(root: string): Package[] {
  const manifest = manifestOf(root);
  const folders = ["", ...(manifest.workspaces ?? [])];
  return folders.map((folder) => ({ folder, manifest: manifestOf(join(root, folder)) }));
}
