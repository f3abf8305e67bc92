import { columns } from "../terminal/columns.ts";
import type { ListedCampaign, RunHistory, ShownCampaign, ShownRun } from "./api.ts";

// What `tidings campaigns` prints without --json.

export const campaignTable = (campaigns: ListedCampaign[]): string =>
  columns(
    ["id", "status", "trigger", "channels", "name"],
    campaigns.map((one) => [one.id, one.status, one.trigger_type, one.channels.join(",") || "none", one.name]),
  );

/** Returns a campaign's status, its trigger and rules in words, and each step with its id. */
export function campaignText({ id, name, status, published, changed, summary }: ShownCampaign): string {
  const version = published === null ? "never activated" : `version ${published.version} of ${published.activated_at}`;
  const draft = published !== null && changed ? "; the draft differs: activate it to publish the change" : "";
  const width = Math.max(0, ...summary.map(({ step_id }) => step_id?.length ?? 0));
  const lines = summary.map(
    ({ step_id, depth, text }) => `${(step_id ?? "").padEnd(width)}  ${"  ".repeat(depth)}${text}`,
  );
  return [`${name} (${id})`, `${status}, ${version}${draft}`, "", ...lines.map((line) => line.trimEnd())].join("\n");
}

export const runTable = (runs: ShownRun[]): string =>
  columns(
    ["id", "person", "status", "step", "entered", "continues or ended", "reason"],
    runs.map((run) => [
      run.id,
      run.person_id ?? "erased",
      run.status,
      run.step_id ?? "",
      run.entered_at,
      run.ended_at ?? run.due_at ?? "",
      run.reason ?? "",
    ]),
  );

/** Returns a run and the result of each of its steps. */
export function runText({ history, ...run }: RunHistory): string {
  const steps = columns(
    ["step", "state", "way", "reason", "entered", "left", "delivery"],
    history.map((passage) => [
      passage.step_id,
      passage.state,
      passage.way ?? "",
      passage.reason ?? "",
      passage.entered_at,
      passage.left_at ?? "",
      passage.delivery_id ?? "",
    ]),
  );
  return `${runTable([run])}\n\n${steps}`;
}
