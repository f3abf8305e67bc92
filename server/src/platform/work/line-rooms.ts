import { Room, type Sharer } from "./room.ts";

/** Items of one line in the memory of this process. Eight at once and 10 s a call: all are tried within the lease. */
const MOST_OF_ONE = 32;
/** Items of all lines in the memory of this process. */
const MOST_HELD = 512;
/**
 * Items of one workspace in the memory of this process. Fifty lines that hang leave three quarters to other workspaces. If those hang
 * too, each next workspace gets half of the rest.
 */
const MOST_OF_WORKSPACE = 128;

/** A line of calls that share their concurrency, such as all calls to one receiver. */
export interface Line {
  id: string;
  workspace_id: string;
}

/** How many more items of a line fit. */
export interface LineRoom {
  id: string;
  room: number;
}

/** What lines and their workspaces hold in the memory of this process. */
export interface LineRooms {
  /** Returns how many more items of each line fit. All of them fit together. Lines without room are left out. */
  rooms(lines: Line[]): LineRoom[];
  enter(line: Line, count: number): void;
  /** One item of a line leaves. */
  leave(line: Line): void;
}

/** @param onRoom is told that a line that was full is half empty */
export function lineRooms(onRoom: () => void): LineRooms {
  const room = new Room({ most: MOST_HELD, each: MOST_OF_ONE, least: 1 });
  /** The lines and workspaces that have items here. */
  const sharers = new Map<string, Sharer>();
  const sharerOf = (id: string): Sharer => sharers.get(id) ?? { held: 0 };

  function enter(line: Line, count: number): void {
    const [own, workspace] = [sharerOf(line.id), sharerOf(line.workspace_id)];
    room.enter(own, count);
    workspace.held += count;
    sharers.set(line.id, own).set(line.workspace_id, workspace);
  }

  function leave(line: Line): void {
    const [own, workspace] = [sharerOf(line.id), sharerOf(line.workspace_id)];
    const hadEnough = room.hasEnough(own);
    room.leave(own);
    workspace.held--;
    if (own.held === 0) sharers.delete(line.id);
    if (workspace.held === 0) sharers.delete(line.workspace_id);
    if (own.held === 0 || (hadEnough && !room.hasEnough(own))) onRoom();
  }

  function rooms(lines: Line[]): LineRoom[] {
    const fitting: LineRoom[] = [];
    const most = room.share();
    let free = room.free();
    for (const [workspaceId, all] of Map.groupBy(lines, (line) => line.workspace_id)) {
      // The line with the fewest items comes first, because there may not be room for all.
      const wanting = all
        .map(({ id }) => ({ id, sharer: sharerOf(id) }))
        .filter(({ sharer }) => !room.hasEnough(sharer))
        .sort((a, b) => a.sharer.held - b.sharer.held);
      const held = sharerOf(workspaceId).held;
      let left = Math.min(MOST_OF_WORKSPACE, Math.ceil((free + held) / 2)) - held;
      for (const [i, { id, sharer }] of wanting.entries()) {
        const count = Math.min(most - sharer.held, Math.ceil(left / (wanting.length - i)));
        if (count <= 0) break;
        fitting.push({ id, room: count });
        left -= count;
        free -= count;
      }
    }
    return fitting;
  }

  return { rooms, enter, leave };
}
