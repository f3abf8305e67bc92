import { useEffect } from "react";
import { queries } from "../platform/call/queries.ts";
import { ofActivity, ofChange, ofProgress } from "./concerns.ts";
import { forgetPosition, hearLive, streamState, tellLive, tellPosition, tellSent } from "./live.ts";
import { createRefresher } from "./refresher.ts";
import { createStream } from "./stream.ts";

/** A browser has six connections to a service over HTTP/1.1, for all tabs: those that nobody sees must not keep one each. */
const HIDDEN_MS = 20_000;
/** While there is no stream, such as behind a proxy that holds answers back, what is shown is read again this often. */
const WITHOUT_MS = 15_000;

/** Keeps one stream open for the page while it is seen, and reads again what it says has changed. */
export function useFollow(workspace: string): void {
  useEffect(() => {
    const refresher = createRefresher(queries, workspace);
    streamState.set("waiting");
    const stream = createStream({
      workspace,
      event: tellSent,
      position: tellPosition,
      state: streamState.set,
      opened(continued) {
        // Also at the first time: something may have happened between what was read and now.
        refresher.all();
        tellLive("opened", { continued });
      },
    });
    const ends = [
      hearLive("activity", (entry) => refresher.concerned(ofActivity(entry))),
      hearLive("changed", (change) => {
        refresher.concerned(ofChange(change));
        // The own role and the workspace's name are in the session.
        if (change.type === "members" || change.type === "workspace")
          void queries.invalidateQueries({ queryKey: ["session"] });
      }),
      hearLive("progress", (progress) => refresher.concerned(ofProgress(progress))),
    ];
    const poll = setInterval(() => {
      if (streamState.get() !== "open" && document.visibilityState === "visible") refresher.all();
    }, WITHOUT_MS);
    let closing: ReturnType<typeof setTimeout> | undefined;
    const onVisibility = () => {
      clearTimeout(closing);
      if (document.visibilityState === "visible") stream.open();
      else closing = setTimeout(stream.close, HIDDEN_MS);
    };
    onVisibility();
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      clearTimeout(closing);
      clearInterval(poll);
      for (const end of ends) end();
      stream.close();
      forgetPosition();
      refresher.stop();
    };
  }, [workspace]);
}
