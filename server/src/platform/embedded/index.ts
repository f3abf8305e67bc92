export { keptSecret } from "./cluster.ts";
export { folderLetGo, ownFolder } from "./owner.ts";
export { runningEmbedded, startEmbedded } from "./postgres.ts";
