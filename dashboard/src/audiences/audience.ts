import type { Audience as AudienceShape, Filter } from "@tidings/contract/audience/audiences";
import type { Static } from "typebox";

export type Audience = Omit<Static<typeof AudienceShape>, "filter"> & { filter: Filter | null };
/** As lists have it. */
export type ListedAudience = Omit<Audience, "filter" | "used_by">;
export const audienceKinds = ["filter", "list"] as const;
