import { authoredSearchOf } from "../platform/list/authored-search.ts";
import { audienceKinds } from "./audience.ts";

export const audiencesSearchOf = authoredSearchOf({ kind: audienceKinds });
