import type { Task as ListedTask } from "@tidings/contract/live";
import { useEffect, useReducer } from "react";
import { useLive } from "../live/live.ts";
import { useRead } from "../platform/call/queries.ts";
import { next } from "./list.ts";
import { ofListed, type Task } from "./task.ts";

/** What takes long in the workspace: broadcasts, people who are moved in campaigns, files, replays. Who reloads the page finds it again. */
export function useTasks(): { tasks: readonly Task[]; dismiss: (id: string) => void } {
  const [tasks, step] = useReducer(next, []);
  const { data: answer } = useRead<{ data: ListedTask[] }>("/tasks");
  useEffect(() => {
    const now = Date.now();
    if (answer) step({ listed: answer.data.map((one) => ofListed(one, now)), now });
  }, [answer]);
  const gone = tasks.some(({ goneAt }) => goneAt !== undefined);
  useEffect(() => {
    if (!gone) return;
    const timer = setInterval(() => step({ expired: Date.now() }), 1_000);
    return () => clearInterval(timer);
  }, [gone]);
  useLive("progress", (told) => step({ told, now: Date.now() }));
  return { tasks, dismiss: (id) => step({ dismissed: id }) };
}
