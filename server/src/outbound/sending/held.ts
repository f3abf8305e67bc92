import { isOurs, type Lease } from "../../platform/work/leases.ts";
import type { Hold } from "../connection/connection.ts";
import type { Slots } from "../connection/slots.ts";
import type { Job } from "../message/message.ts";

/** A hand-off begins only with this much of the lease left; a process that slept must not send what another sends now. */
const MARGIN_MS = 5_000;

/** A delivery in the memory of this process, from its claim to its end. The hand-offs of a push share it. */
export class Held implements Hold {
  /** It has begun once a provider may have the message. */
  readonly lease: Lease<Job>;
  /** Contains the content once that is loaded. */
  job: Job;
  /** Its one request for a place at a provider, which all devices of a push share. */
  #entering: Promise<void> | undefined;
  #place: Slots | undefined;

  constructor(lease: Lease<Job>) {
    this.lease = lease;
    this.job = lease.item;
    lease.begun = lease.item.undetermined;
  }

  get bulk(): boolean {
    return this.job.bulk;
  }

  holds(): boolean {
    return isOurs(this.lease, MARGIN_MS);
  }

  enter(unsettled: Slots): Promise<void> {
    this.#entering ??= unsettled.enter(this.job.bulk).then(() => {
      this.#place = unsettled;
    });
    return this.#entering;
  }

  leave(): void {
    this.#place?.leave();
    this.#place = undefined;
  }
}
