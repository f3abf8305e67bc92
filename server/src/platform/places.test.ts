import { describe, expect, test } from "vitest";
import { clientOf } from "./http/places.ts";
import { placesFor, softLimit } from "./places.ts";

const open = { maxConnections: undefined, connectionsPerAddress: undefined, streamsPerKey: undefined };

describe("the places of a process", () => {
  test.each([
    [1_024, { connections: 768, streams: 614, streamsOfKey: 460 }],
    [20_000, { connections: 17_952, streams: 14_361, streamsOfKey: 10_770 }],
    [1_048_576, { connections: 1_046_528, streams: 50_000, streamsOfKey: 37_500 }],
    [100, { connections: 1, streams: 0, streamsOfKey: 0 }],
  ])("of %i descriptors leave enough for all that is not a client", (descriptors, places) => {
    expect(placesFor(open, descriptors)).toMatchObject(places);
  });

  test("are what the operator wants, as far as the descriptors allow it", () => {
    expect(placesFor({ ...open, maxConnections: 100, streamsPerKey: 7 }, 1_024)).toMatchObject({
      connections: 100,
      streams: 80,
      streamsOfKey: 7,
    });
    expect(placesFor({ ...open, maxConnections: 5_000, streamsPerKey: 5_000 }, 1_024)).toMatchObject({
      connections: 768,
      streamsOfKey: 614,
    });
  });

  test("are counted by what Linux says", () => {
    const line = (soft: string) => `Max processes 1 2 processes\nMax open files            ${soft}   1048576  files \n`;
    expect(softLimit(line("1024"))).toBe(1_024);
    expect(softLimit(line("unlimited"))).toBe(Number.MAX_SAFE_INTEGER);
    expect(softLimit("nothing of it")).toBeUndefined();
  });
});

describe("whom an address stands for", () => {
  test.each([
    ["127.0.0.1", undefined],
    ["::1", undefined],
    ["::ffff:127.0.0.1", undefined],
    ["", undefined],
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8:1:2::1", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
  ])("%s", (address, client) => expect(clientOf(address)).toBe(client));
});
