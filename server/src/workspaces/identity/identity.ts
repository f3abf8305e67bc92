import type { FastifyRequest, preHandlerHookHandler } from "fastify";
import type { Ground } from "../../platform/ground.ts";
import { Problem } from "../../platform/http/index.ts";
import type { WorkspaceRow as Workspace } from "../tenant/store.ts";
import { type Proof, tokenVerifier } from "./person-token.ts";
import { unverifiedCounter } from "./unverified.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The person that the caller proved to be, if the workspace requires a proof: the call may be about this person only. */
    provenPerson: string | undefined;
    /** How far the caller's reports of addresses are believed. */
    vouch: Vouch;
  }
  interface FastifyContextConfig {
    /** Also takes the token from `?person_token=`: EventSource can't set headers. */
    tokenInAddress?: boolean;
  }
}

/** How far a caller's reports of people's addresses are believed (docs/decisions/0012). */
export interface Vouch {
  /** The standing of an address that no token proves: only a secret key verifies it, and only a trusted application's is more than a claim. */
  standing: "verified" | "unverified" | "claimed";
  /** What a person token proves, about its own person only. */
  proof?: Proof;
  /** Counts an address that stays a claim. */
  count?(): void;
}

/** The vouch of a secret key. */
export const VERIFIED: Vouch = { standing: "verified" };

export interface IdentityGuard {
  /** Runs after validation on each route that a public key may call. */
  hook: preHandlerHookHandler;
  /** Writes the last counts. */
  close(): Promise<void>;
}

/**
 * Identity verification (contract section 2). Everybody can get the public key, so it proves nothing about the person:
 * `required` demands a token for exactly that person, `monitor` accepts the call and counts it. A call with a secret key may be
 * about any person.
 */
export function identityGuard(ground: Ground): IdentityGuard {
  const verify = tokenVerifier(ground);
  const counter = unverifiedCounter(ground);

  async function prove(request: FastifyRequest, token: string | undefined): Promise<void> {
    const { workspace } = request.caller;
    const mode = workspace.identity_verification;
    const required = mode === "required";
    try {
      if (token === undefined) {
        throw new Problem("person_token_missing", "This workspace requires a person token. Send it as X-Person-Token.");
      }
      const proof = await verify(workspace.id, token);
      const named = personOf(request);
      if (named !== undefined && named !== proof.personId) {
        throw new Problem(
          "person_token_invalid",
          "The person token is for another person than person_id. Fetch one for this person.",
        );
      }
      request.vouch.proof = proof;
      if (required) request.provenPerson = proof.personId;
    } catch (error) {
      if (required || !(error instanceof Problem) || !error.code.startsWith("person_token_")) throw error;
      if (mode === "monitor") counter.count(workspace.id, token === undefined ? "unsigned" : "invalid");
    }
  }

  const vouchOf = ({ id, identity_verification: mode }: Workspace): Vouch =>
    mode === "off" ? { standing: "unverified" } : { standing: "claimed", count: () => counter.count(id, "claimed") };

  return {
    hook(request, _reply, done) {
      const { workspace, kind } = request.caller;
      const mode = workspace.identity_verification;
      request.vouch = kind === "secret" ? VERIFIED : vouchOf(workspace);
      if (kind === "secret") return done();
      const token = tokenOf(request);
      if (token === undefined && mode !== "required") {
        if (mode === "monitor") counter.count(workspace.id, "unsigned");
        return done();
      }
      prove(request, token).then(() => done(), done);
    },
    close: counter.close,
  };
}

/** Returns the person that the call is about. A batch names a person in each item, and checks each against `provenPerson` itself. */
function personOf(request: FastifyRequest): string | undefined {
  const inBody = (request.body as { person_id?: string } | null | undefined)?.person_id;
  return inBody ?? (request.query as { person_id?: string }).person_id;
}

function tokenOf(request: FastifyRequest): string | undefined {
  const header = request.headers["x-person-token"];
  if (typeof header === "string" && header !== "") return header;
  const inAddress = (request.query as { person_token?: unknown }).person_token;
  return request.routeOptions.config.tokenInAddress && typeof inAddress === "string" ? inAddress : undefined;
}
