import { useNavigate } from "@tanstack/react-router";

/** Returns a `navigate` for a page whose resource was removed: what was typed into it is gone with it, so nobody is asked whether to leave it. */
export function useLeave(): ReturnType<typeof useNavigate> {
  const navigate = useNavigate();
  return (to) => navigate({ ...to, ignoreBlocker: true } as Parameters<typeof navigate>[0]);
}
