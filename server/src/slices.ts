import { slice as activity } from "./activity/index.ts";
import { slice as analytics } from "./analytics/index.ts";
import { slice as audiences } from "./audiences/index.ts";
import { slice as broadcasts } from "./broadcasts/index.ts";
import { slice as campaigns } from "./campaigns/index.ts";
import { slice as catalog } from "./catalog/index.ts";
import { slice as events } from "./events/index.ts";
import type { House } from "./house.ts";
import { slice as inapp } from "./inapp/index.ts";
import { slice as ingest } from "./ingest/index.ts";
import { slice as live } from "./live/index.ts";
import { slice as media } from "./media/index.ts";
import { slice as members } from "./members/index.ts";
import { slice as outbound } from "./outbound/index.ts";
import { slice as outflow } from "./outflow/index.ts";
import { slice as people } from "./people/index.ts";
import { slice as screens } from "./screens/index.ts";
import { slice as sendings } from "./sendings/index.ts";
import { slice as subscriptions } from "./subscriptions/index.ts";
import { slice as templates } from "./templates/index.ts";
import { slice as transactionals } from "./transactionals/index.ts";
import { slice as webhooks } from "./webhooks/index.ts";
import { type Slice, slice as workspaces } from "./workspaces/index.ts";

/** All slices of the house, from the bottom to the top. */
export const SLICES: Slice<House>[] = [
  workspaces,
  people,
  events,
  screens,
  catalog,
  activity,
  ingest,
  analytics,
  members,
  audiences,
  subscriptions,
  media,
  inapp,
  outbound,
  webhooks,
  live,
  outflow,
  templates,
  sendings,
  broadcasts,
  campaigns,
  transactionals,
];
