import type { Role } from "@tidings/contract/members";
import { createContext, useContext } from "react";
import type { Call } from "./call.ts";

/** The workspace whose pages are open. */
export interface OpenWorkspace {
  id: string;
  name: string;
  role: Role;
  call: Call;
}

const Context = createContext<OpenWorkspace | undefined>(undefined);
export const WorkspaceProvider = Context.Provider;

/** Returns the open workspace with the function that calls its product API. */
export function useWorkspace(): OpenWorkspace {
  const open = useContext(Context);
  if (!open) throw new Error("no workspace is open here");
  return open;
}

/** Whether the member may change things here. The service checks it on each call; a page uses it to say so before. */
export const mayEdit = ({ role }: OpenWorkspace): boolean => role !== "viewer";
