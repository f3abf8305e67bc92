import type { Ground } from "../platform/ground.ts";
import type { MediaFiles } from "./files/files.ts";

/** The ground with the store of images. */
export interface MediaGround extends Ground {
  media: MediaFiles;
}
