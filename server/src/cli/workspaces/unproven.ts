import type { unverifiedCalls, Workspace } from "../../workspaces/index.ts";

type Unverified = Awaited<ReturnType<typeof unverifiedCalls>>;

/** Returns how many calls of 7 days `required` would refuse, and how many addresses stay claims; undefined if everything is proved. */
export function unprovenIn(
  { unsigned, invalid, claimed }: Unverified,
  mode: Workspace["identity_verification"],
): string | undefined {
  const calls = unsigned + invalid;
  const parts = [
    ...(mode === "monitor" && calls > 0
      ? [
          `${calls} calls of applications in 7 days proved no person: anybody with the public key can read anybody's messages, and \`identity_verification: required\` would refuse them`,
        ]
      : []),
    ...(mode !== "off" && claimed > 0
      ? [
          `${claimed} times an application reported an address that no token proved: it is stored as a claim, and nothing is sent to it`,
        ]
      : []),
  ];
  return parts.length === 0 ? undefined : parts.join("; ");
}
