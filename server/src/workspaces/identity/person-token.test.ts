import { SignJWT } from "jose";
import { afterEach, expect, test, vi } from "vitest";
import { testService } from "../../../test/support/service.ts";
import { until } from "../../../test/support/wait.ts";
import { byCommand } from "../keys/authenticate.ts";
import { tokenVerifier } from "./person-token.ts";
import { revokeSecretRow } from "./secrets-store.ts";
import { createSecret } from "./signing.ts";

const { service, workspaceId } = await testService();
const { ground } = service;
afterEach(() => vi.restoreAllMocks());

/** Stops the clock that the caches read, and returns the function that sets it to a time after the stop. */
function stopCacheClock(): (afterMs: number) => void {
  const start = performance.now();
  const clock = vi.spyOn(performance, "now").mockReturnValue(start);
  return (afterMs) => void clock.mockReturnValue(start + afterMs);
}

const outcome = (proof: Promise<unknown>): Promise<string> =>
  proof.then(
    () => "proven",
    (problem: { code: string }) => problem.code,
  );

test("a revoked secret proves nothing after a second without the signal, also for a token that came shortly before", async () => {
  const origin = byCommand(workspaceId, "test");
  const { row, secret } = await ground.db.transaction((tx) =>
    createSecret(tx, ground.seal, origin, ground.clock.now()),
  );
  const tokenOf = (person: string) =>
    new SignJWT({})
      .setProtectedHeader({ alg: "HS256" })
      .setSubject(person)
      .setExpirationTime("1h")
      .sign(Buffer.from(secret));
  const [first, second] = [await tokenOf("ada"), await tokenOf("grace")];
  // Every signal is lost on its way to this verifier.
  const verify = tokenVerifier({ ...ground, signals: { ...ground.signals, subscribe: () => () => {} } });

  const setClock = stopCacheClock();
  expect(await outcome(verify(workspaceId, first))).toBe("proven");
  // The verifier still has the secret that it read at 0 s.
  await ground.db.transaction((tx) => revokeSecretRow(tx, workspaceId, row.kid, ground.clock.now()));
  setClock(800);
  expect(await outcome(verify(workspaceId, second))).toBe("proven");
  // A proof that was kept for 0.9 s from here on would still be good at 1.6 s.
  setClock(1_000);
  for (const token of [first, second])
    await until(
      async () => (await outcome(verify(workspaceId, token))) === "person_token_invalid",
      "the end of a proof",
    );
});
