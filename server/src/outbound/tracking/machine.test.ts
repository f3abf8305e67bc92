import { expect, test } from "vitest";
import { machineOf, machinesOf, type Visit } from "./machine.ts";

const SENT = new Date("2026-03-01T12:00:00Z");
const PERSON =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";
const GMAIL = "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";
const visit = (extra: Partial<Visit> & { after?: number } = {}): Visit => {
  const { after = 60_000, ...rest } = extra;
  return { method: "GET", userAgent: PERSON, purpose: "", at: new Date(SENT.getTime() + after), ...rest };
};

test.each<[string, Visit, string | undefined]>([
  ["a person a minute later", visit(), undefined],
  ["a person three seconds later", visit({ after: 3_000 }), undefined],
  [
    "Outlook on Windows",
    visit({ userAgent: "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Microsoft Outlook 16.0)" }),
    undefined,
  ],
  ["Gmail's proxy when a person opens", visit({ userAgent: GMAIL }), undefined],
  ["Gmail's proxy on arrival", visit({ userAgent: GMAIL, after: 4_000 }), "prefetch"],
  ["Apple Mail Privacy Protection", visit({ userAgent: "Mozilla/5.0" }), "privacy_proxy"],
  ["a HEAD request", visit({ method: "HEAD" }), "head"],
  ["a browser that fetches ahead", visit({ purpose: "prefetch;prerender" }), "prefetch"],
  ["nobody who gives a name", visit({ userAgent: " " }), "agent"],
  ["a scanner", visit({ userAgent: "Mozilla/5.0 (compatible; Barracuda Sentinel)" }), "agent"],
  ["a link preview", visit({ userAgent: "Mozilla/5.0 (Windows NT 6.1) SkypeUriPreview Preview/0.5" }), "agent"],
  ["a script", visit({ userAgent: "python-requests/2.32" }), "agent"],
  ["Outlook SafeLinks, which looks like a browser, on arrival", visit({ after: 900 }), "too_soon"],
])("%s", (_who, one, expected) => {
  expect(machineOf(one, SENT)).toBe(expected);
});

test("a visit before the end of the hand-off is too soon", () => {
  expect(machineOf(visit(), null)).toBe("too_soon");
});

test("a visitor of three links at once is a machine, a visitor of one link twice is not", () => {
  const click = (target: string) => ({ ...visit(), target });
  const kinds = (targets: string[]) => machinesOf(targets.map(click), SENT).map(({ machine }) => machine);
  expect(kinds(["a", "b", "c"])).toEqual(["all_at_once", "all_at_once", "all_at_once"]);
  expect(kinds(["a", "a", "a", "b"])).toEqual([undefined, undefined, undefined, undefined]);
});
