import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Returns the path of a program of the system: the first of these names, or files, that there is. */
export function programOf(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const files = names.flatMap((name) => (name.startsWith("/") ? [name] : folders.map((folder) => join(folder, name))));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
