import type { Channel } from "@tidings/contract/facts/activity";
import type { Person } from "../../people/index.ts";
import { encodeId } from "../../platform/ids.ts";
import { channelState, topicState } from "../preferences/receive.ts";
import type { TopicRow } from "../preferences/store.ts";
import { document, type Html, html } from "./page.ts";

/** What a page is about. `action` is the address of its form: the page's own. */
export interface PageSubject {
  action: string;
  /** The workspace's name, as the recipient knows the sender. */
  sender: string;
  person: Person;
  topics: TopicRow[];
  /** Said above the form after something was done. */
  done?: string | undefined;
}

/** Channels that a person chooses among; in-app messages come with the application and stand in its own settings. */
const CHANNELS: [Channel, string][] = [
  ["email", "Email"],
  ["sms", "Text messages (SMS)"],
  ["push", "Push notifications"],
];

const box = (name: string, checked: boolean, label: string, description?: string | null): Html =>
  html`<input type="hidden" name="shown" value="${name}"><label><input type="checkbox" name="on" value="${name}"${
    checked && html` checked`
  }><span>${label}${description ? html`<small>${description}</small>` : undefined}</span></label>`;

const status = (done: string | undefined): Html | undefined => (done ? html`<p role="status">${done}</p>` : undefined);

/** The preference page: each topic and channel, and everything at once. */
export function preferencePage({ action, sender, person, topics, done }: PageSubject): string {
  const title = `Messages from ${sender}`;
  if (!person.subscribed) {
    return document(
      title,
      html`${status(done)}<p>You are unsubscribed from all messages. Those that ${sender} has to send you, such as receipts, may still come.</p>
<form method="post" action="${action}"><button name="action" value="resubscribe">Subscribe again</button></form>`,
    );
  }
  const topicBoxes = topics.map((topic) => {
    const id = encodeId("top", topic.id);
    return box(id, topicState(person, { id, default: topic.default_state }), topic.name, topic.description);
  });
  const channelBoxes = CHANNELS.map(([channel, label]) => box(channel, channelState(person, channel), label));
  return document(
    title,
    html`${status(done)}<p>Choose what you want to receive${whom(person)}.</p>
<form method="post" action="${action}">
${topics.length > 0 && html`<fieldset><legend>Topics</legend>${topicBoxes}</fieldset>`}
<fieldset><legend>Ways to reach you</legend>${channelBoxes}</fieldset>
<button name="action" value="save">Save</button></form>
<form method="post" action="${action}"><button class="quiet" name="action" value="unsubscribe_all">Unsubscribe from everything</button></form>`,
  );
}

/** The page behind an unsubscribe link: a button, because a scanner opens links and must change nothing. */
export function unsubscribePage(subject: PageSubject & { what: string; preferences: string }): string {
  return document(
    `Unsubscribe from ${subject.sender}?`,
    html`${status(subject.done)}<p>You will no longer receive ${subject.what}${whom(subject.person)}.</p>
<form method="post" action="${subject.action}"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe</button></form>
<footer><a href="${subject.preferences}">Choose what you receive instead</a></footer>`,
  );
}

/** After it. */
export function unsubscribedPage(subject: PageSubject & { what: string; preferences: string }): string {
  return document(
    "You are unsubscribed",
    html`<p role="status">You no longer receive ${subject.what}${whom(subject.person)}.</p>
<form method="post" action="${subject.action}"><button class="quiet" name="action" value="resubscribe">That was a mistake: subscribe again</button></form>
<footer><a href="${subject.preferences}">Choose what you receive</a></footer>`,
  );
}

/** After taking it back. */
export function resubscribedPage(subject: PageSubject & { what: string; preferences: string }): string {
  return document(
    "You are subscribed",
    html`<p role="status">You receive ${subject.what} again${whom(subject.person)}.</p>
<footer><a href="${subject.preferences}">Choose what you receive</a></footer>`,
  );
}

/** " at a•••@example.org": enough for the person to know it, too little for whom the mail was forwarded to. */
function whom({ email }: Person): string {
  const at = email?.lastIndexOf("@") ?? -1;
  return email && at > 0 ? ` at ${email.slice(0, 1)}•••${email.slice(at)}` : "";
}
