import { describe, expect, test } from "vitest";
import { fairShare, Turns } from "./fair-share.ts";

const open = { of: "tests", most: 2, each: 2, held: 100 };

/** Work that ends when it is told to, and says when it began. */
function stage() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    },
    async end(name: string) {
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

describe("turns", () => {
  test("go round by owner, even if one owner has more items", () => {
    const turns = new Turns<string>();
    for (const one of ["a1", "a2", "a3", "b1", "c1", "b2"]) turns.push(one.charAt(0), one);
    expect(Array.from({ length: 7 }, () => turns.shift())).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", undefined]);
    expect(turns.size).toBe(0);
  });

  test("skip an owner who may not run now, who keeps the position", () => {
    const turns = new Turns<string>();
    for (const one of ["a1", "b1", "a2"]) turns.push(one.charAt(0), one);
    expect(turns.shift((owner) => owner !== "a")).toBe("b1");
    expect(turns.shift()).toBe("a1");
    expect(turns.remove("a", "a2")).toBe(true);
    expect(turns.shift()).toBeUndefined();
  });
});

describe("a fair share", () => {
  test("gives a workspace that arrives late the next turn, before the waiting calls of another", async () => {
    const share = fairShare(open);
    const { begun, work, end } = stage();
    for (const name of ["a1", "a2", "a3", "a4"]) void share.run("a", work(name));
    void share.run("b", work("b1"));
    await end("");
    expect(begun).toEqual(["a1", "a2"]);
    await end("a1");
    await end("a2");
    // a3 was waiting when b came: a's turn, then b's, and only then a's again.
    expect(begun).toEqual(["a1", "a2", "a3", "b1"]);
  });

  test("keeps slots free from a workspace that uses all of its own", async () => {
    const share = fairShare({ ...open, each: 1 });
    const { begun, work, end } = stage();
    for (const name of ["a1", "a2"]) void share.run("a", work(name));
    void share.run("b", work("b1"));
    await end("");
    expect(begun).toEqual(["a1", "b1"]);
    await end("b1");
    expect(begun).toEqual(["a1", "b1"]);
    await end("a1");
    expect(begun).toEqual(["a1", "b1", "a2"]);
  });

  test("refuses only a workspace with too many calls at once, and says when to repeat", async () => {
    const share = fairShare({ ...open, held: 3 });
    const { work } = stage();
    for (const name of ["a1", "a2", "a3"]) void share.run("a", work(name));
    const refused = share.run("a", work("a4"));
    await expect(refused).rejects.toMatchObject({
      code: "busy",
      status: 429,
      options: { headers: { "retry-after": "5" } },
    });
    const other = share.enter("b");
    await expect(Promise.race([other.then(() => "in"), Promise.resolve("waits")])).resolves.toBe("waits");
  });

  test("refuses a call that had no turn in time, and gives the next turn to another", async () => {
    const share = fairShare({ ...open, most: 1, patienceMs: 20 });
    const leave = await share.enter("a");
    await expect(share.enter("b")).rejects.toMatchObject({ code: "busy" });
    leave();
    leave();
    const again = await share.enter("c");
    await expect(share.enter("d")).rejects.toMatchObject({ code: "busy" });
    again();
  });

  test("passes the turn on after work that failed", async () => {
    const share = fairShare({ ...open, most: 1 });
    await expect(share.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await expect(share.run("a", async () => "yes")).resolves.toBe("yes");
  });
});
