import type { Role } from "@tidings/contract/members";
import type { Page } from "playwright-core";
import { beforeAll, expect } from "vitest";
import { rooms } from "../../src/app/rooms.ts";
import type { Look } from "./dashboard.ts";
import { makeSample, type Sample } from "./sample.ts";
import { dashboardStage, type Stage } from "./stage.ts";

/** The pages that the navigation does not list, by their path in the router. "" is a state of a room that its address names. */
export const details: Record<string, (of: Sample) => string[]> = {
  "/deliveries": ({ delivery, failed }) => [`deliveries?open=${delivery}`, `deliveries?open=${failed}`],
  "/channels": ({ provider }) => [`channels?provider=${provider}`, "channels?add=email"],
  "/explain": ({ person }) => [`explain?person=${person}&screen=Home`],
  "/webhooks/$webhook": ({ webhook }) => [`webhooks/${webhook}`],
  "/export-destinations/$destination": ({ destination }) => [`export-destinations/${destination}`],
  "/topics": ({ topic }) => [`topics?open=${topic}`],
  "/people/$person": ({ person }) => [`people/${person}`],
  "/transactionals/new": () => ["transactionals/new"],
  "/transactionals/$id": ({ transactional }) => [
    `transactionals/${transactional}`,
    `transactionals/${transactional}?tab=call`,
    `transactionals/${transactional}?tab=results`,
  ],
  "/email-layouts": () => ["email-layouts"],
  "/snippets": () => ["snippets"],
  // Each kind has a page of its own, which is above.
  "/$kind/$id": () => [],
  "/audiences/$id": ({ audience }) => [`audiences/${audience}`],
  "/broadcasts/new": () => ["broadcasts/new", "broadcasts/new?channel=in_app&step=content"],
  "/broadcasts/$id": ({ broadcast, draft }) => [
    `broadcasts/${broadcast}`,
    ...["audience", "content", "settings", "review"].map((step) => `broadcasts/${draft}?step=${step}`),
  ],
  "/email-templates/$id": ({ template }) => [
    `email-templates/${template}`,
    `email-templates/${template}?view=versions`,
  ],
  "/email-layouts/$id": ({ layout }) => [`email-layouts/${layout}`],
  "/snippets/$id": ({ snippet }) => [`snippets/${snippet}`],
  "/in-app-messages/$id": ({ message }) => [`in-app-messages/${message}`, "in-app-messages/new"],
  "/campaigns/$id": ({ campaign }) => [`campaigns/${campaign}`, `campaigns/${campaign}?tab=settings`],
};
const below = "/w/$workspace";
/** The paths of the rooms that the navigation lists. */
export const listed = rooms.map(({ to }) => to.slice(below.length));
/** Returns the address of each page of a workspace that has this sample. */
const pagesOf = (sample: Sample): string[] => [
  ...listed.map((path) => path.slice(1)),
  ...Object.values(details).flatMap((of) => of(sample)),
];

/** Looks at pages of a workspace with something in it. */
export interface Tour {
  stage: Stage;
  sample: Sample;
  /** Visits pages (all, unless some are named) in one window, and looks at each. As an owner nothing that a page asks for is refused. */
  visitAll(
    role: Role,
    look: Look,
    check: (page: Page) => Promise<unknown>,
    options?: { paths?: string[] | undefined },
  ): Promise<void>;
}

/** One stage and its sample for the whole test file. */
export async function tour(): Promise<Tour> {
  const stage = await dashboardStage();
  const made = { stage } as Tour;
  beforeAll(async () => {
    made.sample = await makeSample(stage.send);
  });
  made.visitAll = async (role, look, check, { paths = pagesOf(made.sample) } = {}) => {
    const page = await (await stage.signedIn(role, look)).newPage();
    const refused: string[] = [];
    const faults: string[] = [];
    page.on("response", (answer) => {
      // Others' pages may ask, and say then that the right is missing.
      const ok = answer.status() < 400 || (role !== "owner" && answer.status() === 403);
      // The sample has no identity provider, which is how the page of the members learns it.
      const none = answer.status() === 404 && answer.url().endsWith("/api/v1/oidc");
      // Pages that are left at once leave their calls behind: a page asks again where the service is busy with them.
      const busy = answer.status() === 429;
      if (!ok && !none && !busy) refused.push(`${answer.status()} ${answer.url()}`);
    });
    for (const path of paths) {
      await stage.follow(page, path);
      // All faults of all pages are worth more than the first one.
      await check(page).catch((error: Error & { actual?: unknown }) =>
        faults.push(`${error.message} ${JSON.stringify(error.actual, null, 2)}`),
      );
    }
    // An assertion would cut the list after its first words.
    if (faults.length > 0) throw new Error(faults.join("\n\n"));
    expect(refused).toEqual([]);
  };
  return made;
}
