import type { SessionAnswer } from "@tidings/contract/members";
import { encodeId } from "../../platform/ids.ts";
import type { SessionRow } from "../store/session-store.ts";
import { idleEnd, type Session } from "./sessions.ts";

/** The session of a request, as the API shows it. */
export const describeSession = (session: Session): SessionAnswer => ({
  member: {
    id: encodeId("mem", session.member_id),
    email: session.email,
    name: session.name,
    second_factor: session.second_factor,
  },
  workspaces: session.workspaces.map(({ id, name, role }) => ({ id: encodeId("ws", id), name, role })),
  session: times(session),
});

/** A row of the list of sessions. */
export const describeRow = (row: SessionRow, current: string) => ({
  ...times(row),
  current: row.id === current,
  used_at: row.used_at.toISOString(),
  address: row.address,
  agent: row.agent,
});

const times = (row: SessionRow) => ({
  id: encodeId("ses", row.id),
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  idle_expires_at: idleEnd(row).toISOString(),
});
