import type {
  ConversationStep,
  ProviderInput,
  ProviderPatch,
  PushedChannel,
} from "@tidings/contract/messages/outbound";
import { type ProviderKind, providerKinds } from "@tidings/contract/messages/providers";
import { Closed } from "@tidings/contract/primitives";
import type { Tx } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { badField, checkShape, notFound, Problem } from "../../platform/http/index.ts";
import { newId } from "../../platform/ids.ts";
import { mailbox } from "../../platform/mailbox.ts";
import { type Seal, sealOver } from "../../platform/seal.ts";
import { createConnection } from "../connection/connection.ts";
import {
  deleteProvider,
  insertProvider,
  lockProvider,
  type ProviderRow,
  providerById,
  updateProvider,
} from "../connection/provider-store.ts";
import { credentialsOf, openProvider, PROVIDERS_CHANGED } from "../connection/registry.ts";
import { kindOf } from "../providers/index.ts";
import { weakKey } from "../providers/protocol/keys.ts";
import { createTape } from "../providers/protocol/tape.ts";
import { type AttemptResult, handOver } from "../sending/handover.ts";
import { Held } from "../sending/held.ts";
import { testJob } from "./try-out.ts";
import { causeOf, fieldOf } from "./verdict.ts";

const sealed = (
  seal: Seal,
  { id, credentials: before }: Pick<ProviderRow, "id" | "credentials">,
  credentials: object,
): string => sealOver(seal, { sealed: before, context: `provider ${id}` }, credentials);

/** Wrapped, so that an error names /settings/host and not /host. */
const shapes = Object.fromEntries(
  Object.entries(providerKinds).map(([kind, { settings, credentials }]) => [
    kind,
    { settings: checkShape(Closed({ settings })), credentials: checkShape(Closed({ credentials })) },
  ]),
) as unknown as Record<ProviderKind, { settings(value: unknown): void; credentials(value: unknown): void }>;

/** @throws Problem invalid_request naming the field that the kind lacks or does not know */
function check(kind: ProviderKind, channel: PushedChannel, settings: object, credentials: object | undefined): void {
  const channels: readonly string[] = providerKinds[kind].channels;
  if (!channels.includes(channel)) throw badField("/kind", `${kind} sends ${channels.join(", ")} only`);
  shapes[kind].settings({ settings });
  if (credentials) shapes[kind].credentials({ credentials });
  kindOf(kind)?.check?.(settings as never, (credentials ?? {}) as never);
  const weak = weakKey(kind, credentials ?? {});
  if (weak) throw badField(`/credentials/${weak.name}`, `must be ${weak.must}`);
}

/** @throws Problem credentials_missing where the stored credentials would go elsewhere than before, or less well hidden */
function checkStay({ kind, settings }: ProviderRow, next: object, kept: object | undefined): void {
  if (Object.keys(kept ?? {}).length === 0) return;
  const [before, after] = [settings, next].map((one) => kindOf(kind)?.credentialsGoTo(one as never) ?? {});
  const changed = Object.keys(after ?? {}).filter((name) => before?.[name] !== after?.[name]);
  if (changed.length === 0) return;
  const names = changed.map((name) => `settings.${name.replace("/", ".")}`).join(", ");
  throw new Problem("credentials_missing", `Give the credentials again: ${names} decides where they go.`, {
    errors: [
      { pointer: "/credentials", message: `must be given again, because ${names} decides where they go` },
      ...changed.map((name) => ({
        pointer: `/settings/${name}`,
        message: "decides where the credentials go, which must be given again with it",
      })),
    ],
  });
}

/** Adds a provider. Every process sends the channel's deliveries through it within 5 s. @throws Problem invalid_request */
export async function createProvider(
  tx: Tx,
  ground: Ground,
  workspaceId: string,
  input: ProviderInput,
): Promise<ProviderRow> {
  const { priority = 0, rate_per_second = null, ...rest } = input;
  const given = { settings: input.settings ?? {}, credentials: input.credentials };
  const { settings, credentials } = kindOf(input.kind)?.complete?.(given.settings, given.credentials) ?? given;
  check(input.kind, input.channel, settings, credentials ?? {});
  const id = newId();
  const row = await insertProvider(
    tx,
    {
      ...rest,
      id,
      workspace_id: workspaceId,
      priority,
      rate_per_second,
      settings,
      credentials: credentials ? sealed(ground.seal, { id, credentials: null }, credentials) : null,
    },
    ground.clock.now(),
  );
  tx.signal(PROVIDERS_CHANGED, [workspaceId]);
  return row;
}

/**
 * Changes a provider. Settings are replaced as a whole. Credentials stay unless new ones are given; they must be given again
 * where a setting changes that decides where they go. @throws Problem not_found, invalid_request, credentials_missing
 */
export async function changeProvider(
  tx: Tx,
  ground: Ground,
  { workspaceId, id }: { workspaceId: string; id: string },
  patch: ProviderPatch,
): Promise<ProviderRow> {
  const before = await lockProvider(tx, workspaceId, id);
  if (!before) throw notFound("provider");
  if (patch.settings || patch.credentials) {
    // The two may belong together, as the halves of a key pair do.
    const credentials = patch.credentials ?? (before.credentials === null ? undefined : credentialsOf(ground, before));
    check(before.kind, before.channel, patch.settings ?? before.settings, credentials);
    if (patch.settings && !patch.credentials) checkStay(before, patch.settings, credentials);
  }
  const { credentials, ...rest } = patch;
  const row = await updateProvider(
    tx,
    { workspaceId, id },
    { ...rest, ...(credentials && { credentials: sealed(ground.seal, before, credentials) }) },
    ground.clock.now(),
  );
  if (!row) throw notFound("provider");
  tx.signal(PROVIDERS_CHANGED, [workspaceId]);
  return row;
}

/** Removes a provider. Its hand-offs under way finish. @throws Problem not_found */
export async function removeProvider(tx: Tx, workspaceId: string, id: string): Promise<void> {
  if ((await deleteProvider(tx, workspaceId, id)) === 0) throw notFound("provider");
  tx.signal(PROVIDERS_CHANGED, [workspaceId]);
}

/** How long a test waits for a server that does not answer; the caller's own request ends after 30 s. */
const TEST_MS = 20_000;

/**
 * Tries connection and credentials, or sends a small message where `to` is given. Returns what both sides said.
 * @throws Problem not_found, recipient_invalid, provider_refused with the server's own words
 */
export async function testProvider(
  ground: Ground,
  workspace: { id: string; sender_defaults: { email_from?: string } },
  id: string,
  to: string | undefined,
): Promise<{ ok: boolean; detail: string; conversation: ConversationStep[] }> {
  const row = await providerById(ground.db, workspace.id, id);
  if (!row) throw notFound("provider");
  const job = to === undefined ? undefined : await testJob(ground.db, workspace, row.channel, to);
  const { name } = row;
  const sender = mailbox(workspace.sender_defaults.email_from ?? "");
  const tape = createTape();
  const provider = openProvider({ ...ground, tape }, row);
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(`no answer within ${TEST_MS / 1_000} s`), TEST_MS);
  try {
    const reason = await Promise.race([late.promise, job ? sendTest() : provider.check(sender?.address)]);
    if (reason !== undefined) throw refusal(row.kind, tape.steps(), reason);
    return {
      ok: true,
      conversation: tape.steps(),
      detail: to === undefined ? "Connection and credentials work." : "The provider took the test message.",
    };
  } finally {
    clearTimeout(timer);
    provider.close();
  }

  async function sendTest(): Promise<string | undefined> {
    if (!job) return undefined;
    // A connection of its own: a provider that rests for the deliveries can be tested all the same.
    const connection = createConnection(id, name, provider);
    const context = { ground, providers: [connection], begin: async () => true };
    const held = new Held({ item: job, until: Number.POSITIVE_INFINITY, begun: false, gone: false });
    const { outcome } = (await handOver(context, held, job.content)) as AttemptResult;
    return outcome.kind === "sent" ? undefined : outcome.reason;
  }
}

/** The refusal of a test: the provider's words, what both sides said, and the field that a user corrects first. */
function refusal(kind: ProviderKind, conversation: ConversationStep[], reason: string): Problem {
  const cause = causeOf(kind, conversation, reason);
  const pointer = fieldOf(kind, cause);
  return new Problem("provider_refused", `The provider did not accept the test: ${reason}`, {
    extra: { cause, conversation },
    ...(pointer !== undefined && { errors: [{ pointer, message: reason }] }),
  });
}
