import { type Static, Type } from "typebox";
import { Nullable, OneOf } from "./primitives.ts";

const actorTypes = ["api_key", "member", "command", "system"] as const;
export const Actor = Type.Object(
  {
    type: OneOf([...actorTypes]),
    id: Nullable(
      Type.String({ description: "The id of the key or member; null for commands and the service itself." }),
    ),
    name: Type.String({ description: "Its name at that time." }),
  },
  { description: "Who made a change: an API key, a member, a command of `tidings`, or the service itself." },
);
export type Actor = Static<typeof Actor>;
