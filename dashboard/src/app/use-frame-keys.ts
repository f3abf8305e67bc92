import { useEffect, useMemo, useRef } from "react";
import { type Keys, useKeys } from "../platform/keys.ts";
import type { Command } from "./use-commands.ts";

/** The keys that work on each page: those of the commands, "/" for the search of a list, and Ctrl K. */
export function useFrameKeys({ openPalette, commands }: { openPalette: () => void; commands: Command[] }): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  const all = commands.map(({ keys }) => keys).join("|");
  // Only other keys are a reason to listen anew: between the two of a pair it would forget the first one.
  const keys = useMemo<Keys>(
    () => ({
      "/": () => document.querySelector<HTMLElement>("[data-list-search]")?.focus(),
      ...Object.fromEntries(
        all.split("|").map((keys) => [keys, () => latest.current.find((one) => one.keys === keys)?.run()]),
      ),
    }),
    [all],
  );
  useKeys(keys);
  // Ctrl K opens the palette also from a field.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      openPalette();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [openPalette]);
}
