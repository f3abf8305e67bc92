import fc from "fast-check";
import { expect, test } from "vitest";
import { testClock, testService } from "../../../test/support/service.ts";
import { newId } from "../../platform/ids.ts";
import { expire } from "../jobs.ts";

// Sync against a model that is written a second time, from the specification alone and with other means: regular
// expressions for screens, clock times as text, a list of what happened instead of counters.

const clock = testClock();
const it = await testService({ clock });
const MESSAGES = "/data-gateway/v1/in-app/messages";

const SCREENS = ["home", "Home", "checkout/cart", "checkout/pay", "a.b", "axb", "checkout/"];
const PATTERNS = [...SCREENS, "*", "checkout/*", "*/pay", "c*t", "*.b", "*o*e*", "h*me*", "**"];
const ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC", "Mars/Olympus", ""];
/** Nights on which clocks are put forward or back, and ordinary days. */
const NIGHTS = [
  "2026-03-29T00:30Z",
  "2026-10-25T00:30Z",
  "2026-03-08T06:30Z",
  "2026-11-01T05:30Z",
  "2026-07-01T12:00Z",
];

// Times and waits that often meet exactly: rules go wrong at their edges.
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.oneof(fc.constantFrom(0, 30), fc.integer({ min: 0, max: 59 })))
  .map(([h, m]) => `${String(h).padStart(2, "0")}:${String(m).padStart(2, "0")}`);
const minutes = fc.oneof(
  fc.constantFrom(1, 2, 3, 30, 60, 90, 120, 180, 1_440, 2_880),
  fc.integer({ min: 1, max: 48 }).map((halves) => halves * 30),
  fc.integer({ min: 1, max: 3_000 }),
);
const duration = fc.record({
  amount: fc.integer({ min: 1, max: 5 }),
  unit: fc.constantFrom("minutes" as const, "hours" as const, "days" as const),
});
const definition = fc.record({
  name: fc.constant("generated"),
  render_type: fc.constantFrom("modal", "banner", "inline", "inbox_card"),
  body: fc.constantFrom("plain", "for {{person.person_id}}"),
  cta: fc.option(fc.constantFrom({ label: "x", action: "dismiss" }, { label: "x", action: "custom", value: "v" })),
  priority: fc.constantFrom(0, 10, 50, 50, 100),
  expiry: fc.option(duration),
  screens: fc.record({
    include: fc.array(fc.constantFrom(...PATTERNS), { maxLength: 2 }),
    exclude: fc.array(fc.constantFrom(...PATTERNS), { maxLength: 1 }),
  }),
  quiet_hours: fc.option(
    fc
      .record({
        enabled: fc.boolean(),
        timezone_mode: fc.constantFrom("workspace", "device"),
        start: time,
        end: time,
      })
      .filter(({ start, end }) => start !== end),
  ),
  persistence: fc.option(
    fc.record({
      mode: fc.constantFrom("one_time", "persistent_until_dismissed"),
      per: fc.constantFrom("person", "delivery", undefined),
      max_impressions: fc.option(fc.integer({ min: 1, max: 3 })),
      min_interval: fc.option(duration),
    }),
  ),
});
type Definition = typeof definition extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  fc.record({
    do: fc.constant("edge" as const),
    which: fc.nat(20),
    edge: fc.constantFrom("expiry" as const, "pause" as const, "start" as const, "end" as const),
    off: fc.constantFrom(-1, 0, 1),
  }),
  fc.record({ do: fc.constant("wait" as const), minutes }),
  fc.record({ do: fc.constant("expire" as const) }),
  fc.record({
    do: fc.constant("report" as const),
    which: fc.nat(20),
    type: fc.constantFrom("impression" as const, "click" as const, "dismiss" as const),
  }),
  fc.record({
    do: fc.constant("sync" as const),
    screen: fc.option(fc.constantFrom(...SCREENS)),
    timezone: fc.option(fc.constantFrom(...ZONES)),
    offset: fc.option(fc.integer({ min: -720, max: 840 })),
    limit: fc.option(fc.integer({ min: 1, max: 6 })),
  }),
);

interface Modelled {
  id: string;
  definition: Definition;
  queued: number;
  log: { type: string; at: number }[];
}

const MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
const wall = (at: number, zone: string) =>
  new Date(at).toLocaleTimeString("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" });

function knows(zone: string): boolean {
  try {
    return zone !== "" && wall(0, zone) !== "";
  } catch {
    return false;
  }
}

const like = (pattern: string, screen: string) =>
  new RegExp(`^${pattern.split("*").map(literal).join("[^]*")}$`).test(screen);
function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

interface SyncQuery {
  screen: string | null;
  timezone: string | null;
  offset: number | null;
  limit: number | null;
}

const mode = ({ persistence, render_type }: Definition) =>
  persistence?.mode ?? (render_type === "inbox_card" ? "persistent_until_dismissed" : "one_time");
const most = (d: Definition) => (mode(d) === "one_time" ? 1 : (d.persistence?.max_impressions ?? 1e9));

/** Impressions as they count: where the first report is a click or dismiss it stands for one, and so the first impression behind it does not. */
const impressions = ({ log }: Modelled) => {
  const seen = log.filter(({ type }) => type === "impression");
  return log[0] === undefined || log[0].type === "impression" ? seen : [log[0], ...seen.slice(1)];
};
/** Those that its limits are about: unless it says otherwise, of all deliveries that the person has of the message. */
const limited = (one: Modelled, all: Modelled[]) =>
  one.definition.persistence?.per === "delivery"
    ? impressions(one)
    : all.filter((other) => other.definition === one.definition).flatMap(impressions);
const persistent = (d: Definition) => d.persistence?.max_impressions ?? 1e9;

function expected(all: Modelled[], asked: SyncQuery, now: number, workspaceZone: string): string[] {
  return all
    .filter((one) => {
      const { definition: d, log } = one;
      if (d.expiry && now >= one.queued + d.expiry.amount * MS[d.expiry.unit]) return false;
      if (log.some((entry) => entry.type === "dismiss")) return false;
      if (d.cta?.action === "dismiss" && log.some((entry) => entry.type === "click")) return false;
      if (mode(d) === "one_time" && log.length > 0) return false;
      if (impressions(one).length >= most(d)) return false;
      const seen = limited(one, all);
      if (seen.length >= persistent(d)) return false;
      const pause = d.persistence?.min_interval;
      const lastSeen = Math.max(...seen.map((entry) => entry.at));
      if (pause && seen.length > 0 && now < lastSeen + pause.amount * MS[pause.unit]) return false;
      const { include, exclude } = d.screens;
      if (asked.screen === null) {
        if (include.length > 0) return false;
      } else {
        if (include.length > 0 && !include.some((pattern) => like(pattern, asked.screen as string))) return false;
        if (exclude.some((pattern) => like(pattern, asked.screen as string))) return false;
      }
      const quiet = d.quiet_hours;
      if (!quiet?.enabled) return true;
      let local = wall(now, workspaceZone);
      if (quiet.timezone_mode === "device") {
        if (asked.timezone !== null && knows(asked.timezone)) local = wall(now, asked.timezone);
        else if (asked.offset !== null) local = wall(now + asked.offset * 60_000, "UTC");
      }
      if (quiet.start < quiet.end) return !(quiet.start <= local && local < quiet.end);
      return !(local >= quiet.start || local < quiet.end);
    })
    .sort((a, b) => b.definition.priority - a.definition.priority || a.queued - b.queued || (a.id < b.id ? -1 : 1))
    .slice(0, asked.limit ?? 10)
    .map((one) => one.id);
}

/** When something changes for a message: the instant itself and a millisecond around it are where rules go wrong. */
function edgeOf({ definition: d, queued, log }: Modelled, edge: "expiry" | "pause" | "start" | "end", zone: string) {
  const now = clock.now().getTime();
  if (edge === "expiry") return d.expiry && queued + d.expiry.amount * MS[d.expiry.unit];
  const pause = d.persistence?.min_interval;
  if (edge === "pause") return pause && log.length > 0 && (log.at(-1)?.at ?? 0) + pause.amount * MS[pause.unit];
  if (!d.quiet_hours?.enabled) return null;
  const of = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const left = (of(d.quiet_hours[edge]) - of(wall(now, zone)) + 1_440) % 1_440;
  return Math.floor(now / 60_000) * 60_000 + left * 60_000;
}

/** As many deliveries of one definition, a second apart. */
async function queued(definition: Definition, copies: number, personId: string): Promise<Modelled[]> {
  const made = await it.call("POST", "/api/v1/in-app-messages", { body: definition });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const all: Modelled[] = [];
  for (let i = 0; i < copies; i++) {
    const sent = await it.call("POST", `/api/v1/in-app-messages/${made.body.id}/test-sends`, {
      body: { person_id: personId },
    });
    all.push({ id: sent.body.delivery_id, definition, queued: clock.now().getTime(), log: [] });
    clock.forward(1_000);
  }
  return all;
}

/** Reports and keeps in the model what happened; the answer must say whether it was new. */
async function report(
  all: Modelled[],
  { which, type }: { which: number; type: "impression" | "click" | "dismiss" },
  personId: string,
): Promise<void> {
  const one = all[which % all.length] as Modelled;
  const { log, definition: d } = one;
  const refused =
    type === "impression"
      ? impressions(one).length >= most(d) || limited(one, all).length >= persistent(d)
      : type === "dismiss" &&
        log.some((e) => e.type === "dismiss" || (e.type === "click" && d.cta?.action === "dismiss"));
  const implied = type === "impression" && log.length > 0 && !log.some((e) => e.type === "impression");
  const answer = await it.call("POST", `${MESSAGES}/${one.id}/${type}`, { body: { person_id: personId } });
  expect(answer.body.recorded).toBe(!refused && !implied);
  if (!refused) log.push({ type, at: clock.now().getTime() });
}

const scenario = fc.record({
  night: fc.constantFrom(...NIGHTS),
  workspaceZone: fc.constantFrom("Europe/Berlin", "America/New_York", "UTC"),
  definitions: fc.array(definition, { minLength: 1, maxLength: 5 }),
  copies: fc.integer({ min: 1, max: 2 }),
  steps: fc.array(step, { minLength: 4, maxLength: 14 }),
});

test("sync returns what the specification says, for any definitions, clocks, zones and interactions", {
  timeout: 120_000,
}, async () => {
  let compared = 0;
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async ({ night, workspaceZone, definitions, copies, steps }) => {
      clock.set(night);
      await it.call("PATCH", "/api/v1/workspace", { body: { timezone: workspaceZone } });
      const personId = newId();
      await it.call("POST", "/data-gateway/v1/identify", { body: { person_id: personId } });
      const all: Modelled[] = [];
      for (const one of definitions) all.push(...(await queued(one, copies, personId)));
      for (const one of steps) {
        if (one.do === "edge") {
          const edge = edgeOf(all[one.which % all.length] as Modelled, one.edge, workspaceZone);
          if (edge && edge + one.off > clock.now().getTime()) clock.set(new Date(edge + one.off));
        } else if (one.do === "wait") clock.forward(one.minutes * 60_000);
        else if (one.do === "expire") await expire(it.service.ground);
        else if (one.do === "report") await report(all, one, personId);
        if (one.do === "edge" || one.do === "sync") {
          const asked: SyncQuery =
            one.do === "sync" ? one : { screen: null, timezone: workspaceZone, offset: null, limit: 50 };
          const query = new URLSearchParams({ person_id: personId });
          if (asked.screen !== null) query.set("screen", asked.screen);
          if (asked.timezone !== null) query.set("timezone", asked.timezone);
          if (asked.offset !== null) query.set("tz_offset_minutes", String(asked.offset));
          if (asked.limit !== null) query.set("limit", String(asked.limit));
          const answer = await it.call("GET", `${MESSAGES}/sync?${query}`);
          const ids = answer.body.map((message: { delivery_id: string }) => message.delivery_id);
          expect(ids).toEqual(expected(all, asked, clock.now().getTime(), workspaceZone));
          compared++;
          shown += ids.length;
        }
      }
    }),
    { numRuns: 200 },
  );
  // A test that only ever compares empty answers proves nothing.
  expect(shown).toBeGreaterThan(compared / 4);
});
