import type { Image as ImageShape } from "@tidings/contract/messages/media";
import { useEffect, useRef, useState } from "react";
import type { Static } from "typebox";
import { queries } from "../platform/call/queries.ts";
import { upload } from "../platform/call/upload.ts";
import { useWorkspace } from "../platform/call/workspace.ts";

export type Image = Static<typeof ImageShape>;

/** A file on its way. */
export interface Sending {
  id: number;
  file: File;
  state: "waiting" | "sending" | "done" | "known" | "failed";
  /** The part that is sent, from 0 to 1. */
  part: number;
  error?: Error;
  /** What the service made of it. */
  image?: Image;
}

/** The service takes two of a workspace at once. */
const AT_ONCE = 2;
/** The kinds that the service takes. */
export const ACCEPT = "image/png,image/jpeg,image/gif,image/webp,image/avif";
/** A file that is larger is not sent at all. */
const MOST_BYTES = 10 * 1024 * 1024;
export class TooLarge extends Error {}

let last = 0;

/** Uploads files, two at a time, and keeps the list of them until it is cleared. They go on while other pages of the room are open. */
export function useUploads() {
  const { id: workspace } = useWorkspace();
  const [list, setList] = useState<readonly Sending[]>([]);
  const running = useRef(new Map<number, AbortController>());
  const change = (id: number, to: Partial<Sending>) =>
    setList((all) => all.map((one) => (one.id === id ? { ...one, ...to } : one)));

  async function send({ id, file }: Sending, stop: AbortController): Promise<void> {
    const form = new FormData();
    form.append("file", file);
    try {
      const onProgress = (part: number) => change(id, { part });
      const { status, body } = await upload<Image>({
        workspace,
        path: "/media",
        body: form,
        onProgress,
        signal: stop.signal,
      });
      // 200: the workspace has this image already, and the answer is the one that is there.
      change(id, { state: status === 200 ? "known" : "done", part: 1, image: body });
      void queries.invalidateQueries({ queryKey: [workspace, "/media"] });
    } catch (error) {
      if (stop.signal.aborted) setList((all) => all.filter((one) => one.id !== id));
      else change(id, { state: "failed", error: error as Error });
    } finally {
      running.current.delete(id);
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the list says what waits
  useEffect(() => {
    const free = AT_ONCE - list.filter(({ state }) => state === "sending").length;
    for (const one of list.filter(({ state }) => state === "waiting").slice(0, Math.max(0, free))) {
      if (running.current.has(one.id)) continue;
      const stop = new AbortController();
      running.current.set(one.id, stop);
      change(one.id, { state: "sending", part: 0 });
      void send(one, stop);
    }
  }, [list]);
  useEffect(() => {
    const under = running.current;
    return () => {
      for (const stop of under.values()) stop.abort();
    };
  }, []);

  const isUnderWay = ({ state }: Sending) => state === "waiting" || state === "sending";
  return {
    list,
    busy: list.some(isUnderWay),
    add(files: Iterable<File>) {
      const more = [...files].map(
        (file): Sending =>
          file.size > MOST_BYTES
            ? { id: ++last, file, state: "failed", part: 0, error: new TooLarge() }
            : { id: ++last, file, state: "waiting", part: 0 },
      );
      setList((all) => [...all, ...more]);
    },
    cancel(id: number) {
      const stop = running.current.get(id);
      if (stop) stop.abort();
      else setList((all) => all.filter((one) => one.id !== id));
    },
    retry(id: number) {
      setList((all) => all.map(({ error: _, ...one }) => (one.id === id ? { ...one, state: "waiting" } : one)));
    },
    clear: () => setList((all) => all.filter(isUnderWay)),
  };
}
export type Uploads = ReturnType<typeof useUploads>;
