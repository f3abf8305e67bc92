import type { OidcInput } from "@tidings/contract/members";
import type { Configuration, CustomFetch } from "openid-client";
import * as oidc from "openid-client";
import type { Tx } from "../../platform/db/index.ts";
import { badField, notFound, Problem } from "../../platform/http/index.ts";
import { encodeId } from "../../platform/ids.ts";
import type { Authored } from "../../platform/resources/authored.ts";
import { changing, created, type Origin, removing } from "../../platform/resources/changes.ts";
import { sealOver } from "../../platform/seal.ts";
import type { MembersGround } from "../ground.ts";
import { deleteOidc, lockOidc, type OidcRow, oidcOf, putOidc } from "../store/oidc-store.ts";

const TIMEOUT_S = 10;

export const redirectUri = ({ config }: MembersGround): string => `${config.publicUrl}/api/v1/oidc/callback`;

const OIDC: Authored<OidcRow> = {
  noun: "identity provider",
  locked: (tx, scope) => lockOidc(tx, scope),
  shape: ({ workspace_id, issuer, client_id, client_secret_changed_at, role_mapping }) => ({
    id: encodeId("ws", workspace_id),
    name: issuer,
    issuer,
    client_id,
    client_secret_changed_at: client_secret_changed_at?.toISOString() ?? null,
    role_mapping,
  }),
  secretsOf: ({ client_secret }) => ({ client_secret }),
};

/** The provider as the API shows it, with the same tag as in the log and in If-Match. */
export const described = (ground: MembersGround): Authored<OidcRow> => ({
  ...OIDC,
  derived: ["redirect_uri", "start_url"],
  shape: (row) => ({
    ...OIDC.shape(row),
    redirect_uri: redirectUri(ground),
    start_url: `${ground.config.publicUrl}/api/v1/oidc/start?workspace=${encodeId("ws", row.workspace_id)}`,
  }),
});

const context = (workspaceId: string): string => `oidc ${workspaceId}`;

/** Sets the workspace's identity provider. @throws Problem invalid_request, credentials_missing */
export async function setOidc(tx: Tx, ground: MembersGround, origin: Origin, input: OidcInput): Promise<OidcRow> {
  const { seal, clock, config } = ground;
  const { client_secret, ...rest } = input;
  checkIssuer(rest.issuer, config.allowPrivateNetwork);
  const workspaceId = origin.scope;
  const before = await lockOidc(tx, workspaceId);
  // A secret that stays would go to whoever is the issuer now.
  if (client_secret === undefined && before?.issuer !== rest.issuer)
    throw new Problem("credentials_missing", "Give client_secret: the issuer decides where it goes.", {
      errors: [{ pointer: "/client_secret", message: "must be given with another issuer" }],
    });
  const kept = { sealed: before?.client_secret ?? null, context: context(workspaceId) };
  const sealed = client_secret === undefined ? (before as OidcRow).client_secret : sealOver(seal, kept, client_secret);
  const now = clock.now();
  const row = { ...rest, workspace_id: workspaceId, client_secret: sealed, updated_at: now };
  if (before) return changing(tx, OIDC, { origin, done: "changed", id: workspaceId, now }, () => putOidc(tx, row));
  const made = await putOidc(tx, row);
  await created(tx, OIDC, origin, { row: made, now });
  return made;
}

/** Removes it. Sessions that it opened live on until they end. @throws Problem not_found */
export async function removeOidc(tx: Tx, origin: Origin, now: Date): Promise<void> {
  await removing(tx, OIDC, { origin, id: origin.scope, now }, async () => {
    if ((await deleteOidc(tx, origin.scope)) === 0) throw notFound("identity provider");
  });
}

/** @throws Problem invalid_request */
function checkIssuer(issuer: string, insecure: boolean): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const secure = url?.protocol === "https:" || (insecure && url?.protocol === "http:");
  if (!url || !secure || url.search !== "" || url.hash !== "" || url.username !== "")
    throw badField("/issuer", "must be an https address without a query");
}

/** Reads the configuration that the provider publishes. @throws Error of the library, OutboundError */
export async function discovered(ground: MembersGround, workspaceId: string): Promise<Configuration | undefined> {
  const row = await oidcOf(ground.db, workspaceId);
  if (!row) return undefined;
  const secret = ground.seal.open(row.client_secret, context(workspaceId));
  const insecure = ground.config.allowPrivateNetwork ? [oidc.allowInsecureRequests] : [];
  return oidc.discovery(new URL(row.issuer), row.client_id, secret, undefined, {
    [oidc.customFetch]: throughTheWayOut(ground),
    timeout: TIMEOUT_S,
    execute: insecure,
  });
}

/** Calls of the library take the one way out, which checks addresses and follows no redirect. */
const throughTheWayOut =
  ({ fetchOut }: MembersGround): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const answer = await fetchOut(url, {
      method,
      headers,
      ...(body != null && { body: body instanceof URLSearchParams ? body.toString() : String(body) }),
      ...(signal && { signal }),
    });
    const entries = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(answer.status === 204 ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: entries,
    });
  };
