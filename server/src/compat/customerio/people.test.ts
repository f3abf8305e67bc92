import { describe, expect, test } from "vitest";
import { customerioService, refused } from "../../../test/support/services/customerio.ts";

const { it, identify, address, client, api, raw } = await customerioService();

type Sent = { delivery_id: string; queued_at: number };

describe("people", () => {
  test("getCustomersByEmail lists the people who share the address, the last identified first", async () => {
    await identify("twin-1", { email: "twins@example.test" });
    await identify("twin-2", { email: "twins@example.test" });
    const { results } = (await api.getCustomersByEmail("Twins@example.test")) as { results: Record<string, string>[] };
    expect(results.map((person) => person.id)).toEqual(["twin-2", "twin-1"]);
    expect(results[0]).toEqual({
      id: "twin-2",
      email: "twins@example.test",
      cio_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(await api.getCustomersByEmail("no@example.test")).toEqual({ results: [] });
    expect(await api.getCustomersByEmail("no address")).toEqual({ results: [] });
  });

  test("getAttributes finds by id, email and cio_id, and shows devices", async () => {
    await identify("attr", { email: "attr@example.test", plan: "pro", seats: 3 });
    await it.call("PUT", "/data-gateway/v1/devices", { body: { person_id: "attr", platform: "ios", token: "t-attr" } });
    type Answer = {
      customer: { attributes: Record<string, unknown>; identifiers: { cio_id: string }; devices: unknown[] };
    };
    const { customer } = (await api.getAttributes("attr")) as Answer;
    expect(customer).toMatchObject({
      id: "attr",
      identifiers: { id: "attr", email: "attr@example.test" },
      attributes: { id: "attr", email: "attr@example.test", plan: "pro", seats: 3 },
      unsubscribed: false,
      devices: [{ id: "t-attr", platform: "ios", last_used: expect.any(Number) }],
    });
    const cio = customer.identifiers.cio_id;
    expect(await api.getAttributes("attr@example.test", "email" as never)).toEqual({ customer });
    expect(await api.getAttributes(cio, "cio_id" as never)).toEqual({ customer });
    // A cio_id in a send means the same person.
    const sent = (await api.sendEmail(raw({ identifiers: { cio_id: cio } as never, to: "attr@example.test" }))) as Sent;
    const { body } = await it.call("GET", `/api/v1/deliveries/${sent.delivery_id}`);
    expect(body.person_id).toBe("attr");
  });

  test("people of another workspace and unknown people are not found", async () => {
    await identify("secret", { email: "secret@example.test" });
    const { customer } = (await api.getAttributes("secret")) as { customer: { identifiers: { cio_id: string } } };
    const theirs = client(address, (await it.another()).secretKey);
    expect(await theirs.getCustomersByEmail("secret@example.test")).toEqual({ results: [] });
    for (const call of [
      () => theirs.getAttributes("secret"),
      () => theirs.getAttributes("secret@example.test", "email" as never),
      () => theirs.getAttributes(customer.identifiers.cio_id, "cio_id" as never),
    ]) {
      const error = await refused(call());
      expect(error.statusCode).toBe(404);
    }
  });
});
