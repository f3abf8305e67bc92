import { Problem } from "../http/index.ts";

/** The statuses of a kind of resource and the moves between them. */
export interface StatusMoves<Status extends string, Move extends string> {
  /** "campaign" */
  noun: string;
  /** For each move the next status, by the present one. A move is impossible from a status that is missing. */
  moves: Record<Move, Partial<Record<Status, Status>>>;
  /** The participle of each move, for the error: "paused". */
  participles: Record<Move, string>;
}

/** Returns the status after a move. @throws Problem wrong_status that names the statuses in which the move is possible */
export function statusAfterMove<Status extends string, Move extends string>(
  { noun, moves, participles }: StatusMoves<Status, Move>,
  status: Status,
  move: Move,
): Status {
  const next = moves[move][status];
  if (next !== undefined) return next;
  const possible = Object.keys(moves[move]).join(", ");
  throw new Problem(
    "wrong_status",
    `A ${noun} that is ${status} can't be ${participles[move]}: it must be ${possible}.`,
    {
      extra: { current: status },
    },
  );
}
