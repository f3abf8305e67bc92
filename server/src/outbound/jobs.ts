import type { Ground } from "../platform/ground.ts";
import type { Job } from "../platform/work/jobs.ts";
import { allWorkspaces, keptSince } from "../workspaces/index.ts";
import { collectBounces } from "./bounces/collect.ts";
import { forgetSeen } from "./callbacks/callback-store.ts";
import { forgetCaptured } from "./providers/outbox-store.ts";
import { cancelLongSuspended } from "./queue/suspended.ts";
import { giveUp } from "./sending/give-up.ts";

const BATCH = 1_000;

/** The background jobs of outbound, apart from sending. */
export function jobs(ground: Ground): Job[] {
  return [
    { name: "outbound.forget.v1", cron: "27 * * * *", run: () => forgetOutbox(ground) },
    { name: "outbound.give_up.v1", cron: "* * * * *", run: () => giveUp(ground) },
    { name: "outbound.suspended.v1", cron: "*/5 * * * *", run: () => cancelLongSuspended(ground) },
    { name: "outbound.bounces.v1", cron: "* * * * *", run: () => collectBounces(ground) },
  ];
}

/**
 * Deletes messages that the local provider captured, after the workspace's retention of content, and the signatures of old
 * callbacks, in batches that hold no lock for long.
 */
export async function forgetOutbox({ workDb, clock }: Pick<Ground, "workDb" | "clock">): Promise<void> {
  while ((await forgetSeen(workDb, clock.now(), BATCH)) === BATCH);
  for (const workspace of await allWorkspaces(workDb)) {
    const before = keptSince(workspace, "content", clock.now());
    while ((await forgetCaptured(workDb, workspace.id, before, BATCH)) === BATCH);
  }
}
