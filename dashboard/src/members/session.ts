import type { SessionAnswer } from "@tidings/contract/members";
import { useQuery } from "@tanstack/react-query";
import { call } from "../platform/call/call.ts";
import { queries } from "../platform/call/queries.ts";
import { forgetRecents } from "../platform/recent.ts";

/** Who is signed in, and where they may work. */
export type Session = SessionAnswer;

const session = {
  queryKey: ["session"],
  queryFn: () => call<Session>("GET", "/session"),
  staleTime: 60_000,
};

/** Reads the session once. @throws Refusal `unauthenticated` where nobody is signed in */
export const readSession = (): Promise<Session> => queries.ensureQueryData(session);
export const useSession = () => useQuery(session);

/** Takes the session that a sign-in answered with. */
export const keepSession = (signedIn: Session): void => void queries.setQueryData(session.queryKey, signedIn);

export async function signOut(): Promise<void> {
  await call("DELETE", "/session");
  forgetRecents();
  // Everything that was read belongs to the member who left. A new load forgets it, and what the scripts hold.
  window.location.assign("/sign-in");
}

const LAST = "tidings.workspace";

/** The workspace that this browser opened last: its identity provider is the one to sign in at. */
export const lastWorkspace = (): string | undefined => localStorage.getItem(LAST) ?? undefined;
export const keepWorkspace = (id: string): void => localStorage.setItem(LAST, id);
