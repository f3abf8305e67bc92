import type { ProductApi } from "./product-api.ts";

export interface Person {
  person_id: string;
  name: string;
}

export const PEOPLE: Person[] = [
  { person_id: "shop-ada", name: "Ada" },
  { person_id: "shop-grace", name: "Grace" },
  { person_id: "shop-alan", name: "Alan" },
];

/** The shop's messages, one for each render type. `shop` is the address of its images. */
const definitions = (shop: string) => ({
  modal: {
    title: "Spring is here, {{person.first_name}}",
    body: "Your teapot ships today, and comes with 50 grams of this spring's oolong.",
    image_url: `${shop}/images/spring.svg`,
    cta: { label: "See the oolong", action: "deep_link", value: "/product/oolong" },
    priority: 75,
    screens: { include: ["checkout/*"], exclude: ["checkout/pay"] },
    persistence: { mode: "persistent_until_dismissed" },
  },
  banner: {
    title: "Free shipping until Sunday",
    body: "On every order above € 30.",
    cta: { label: "Look around", action: "deep_link", value: "/product/kettle" },
    screens: { include: ["home"] },
    persistence: { mode: "one_time" },
  },
  inline: {
    title: "20 % off with two cups",
    body: "Take the coupon, and add a pair of cups to any order.",
    image_url: `${shop}/images/cups.svg`,
    cta: { label: "Take the coupon", action: "custom", value: "coupon:SPRING" },
    screens: { include: ["product/*"] },
    persistence: { mode: "persistent_until_dismissed" },
  },
  inbox_card: {
    title: "Your order is on its way",
    body: "One clay teapot, {{person.first_name}}. It should be with you on Tuesday.",
    image_url: `${shop}/images/teapot.svg`,
    cta: { label: "See the teapot", action: "deep_link", value: "/product/teapot" },
  },
});

export type RenderType = keyof ReturnType<typeof definitions>;
export type Messages = Record<RenderType, string>;

/** Defines the messages, or updates those of an earlier run; returns their ids. */
export async function defineMessages(api: ProductApi, shop: string): Promise<Messages> {
  const { data } = (await api("GET", "/api/v1/in-app-messages?limit=200")) as { data: { id: string; name: string }[] };
  const made = Object.entries(definitions(shop)).map(async ([render_type, fields]) => {
    const name = `Example shop: ${render_type}`;
    const there = data.find((one) => one.name === name);
    const answer = there
      ? await api("PATCH", `/api/v1/in-app-messages/${there.id}`, fields)
      : await api("POST", "/api/v1/in-app-messages", { name, render_type, ...fields });
    return [render_type, (answer as { id: string }).id];
  });
  return Object.fromEntries(await Promise.all(made)) as Messages;
}

/** Creates the people, and sends one message of each type to those who are new. */
export async function seedPeople(api: ProductApi, messages: Messages, people: Person[]): Promise<void> {
  for (const { person_id, name } of people) {
    const attributes = { first_name: name };
    const { created } = (await api("POST", "/data-gateway/v1/identify", { person_id, attributes })) as {
      created: boolean;
    };
    if (!created) continue;
    for (const id of Object.values(messages)) await sendMessage(api, id, person_id);
  }
}

/** Sends one of the messages to one person. */
export async function sendMessage(api: ProductApi, messageId: string, personId: string): Promise<string> {
  const answer = await api("POST", `/api/v1/in-app-messages/${messageId}/test-sends`, { person_id: personId });
  return (answer as { delivery_id: string }).delivery_id;
}
