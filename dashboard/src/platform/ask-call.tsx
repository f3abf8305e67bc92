import type { ReactNode } from "react";
import { Ask } from "./ask.tsx";
import { queries } from "./call/queries.ts";
import { useWorkspace } from "./call/workspace.ts";
import { tell } from "./states/toasts.tsx";

interface AskCallProps {
  title: string;
  /** The words on the button that calls. */
  yes: string;
  bad?: boolean;
  method: "PATCH" | "DELETE";
  path: string;
  body?: unknown;
  /** What is said after the call. */
  done: string;
  /** Where to go then, before anything is read again: what was removed must not be asked for. */
  leave?: () => Promise<unknown>;
  /** The path below which all is read again. Default: the whole workspace. */
  reads?: string;
  onClose: () => void;
  /** What the call does, before it is made. */
  children: ReactNode;
}

/** Asks before a call that changes or removes a resource, makes it, and reads again what it changed. */
export function AskCall(props: AskCallProps) {
  const { title, yes, bad = false, method, path, body, done, leave, reads, onClose, children } = props;
  const open = useWorkspace();
  return (
    <Ask
      title={title}
      yes={yes}
      bad={bad}
      onClose={onClose}
      onYes={async () => {
        await open.call(method, path, body === undefined ? {} : { body });
        tell(done);
        await leave?.();
        void queries.invalidateQueries({ queryKey: reads === undefined ? [open.id] : [open.id, reads] });
      }}
    >
      {children}
    </Ask>
  );
}
