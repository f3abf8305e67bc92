import type {
  Subscriptions as SubscriptionsShape,
  SubscriptionsPatch,
  Topic as TopicShape,
} from "@tidings/contract/audience/subscriptions";
import { Switch } from "@mantine/core";
import { useState } from "react";
import type { Static } from "typebox";
import { channels } from "../../activity/delivery.ts";
import { Ask } from "../../platform/ask.tsx";
import { queries, useList, useRead } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Note, Section } from "../../platform/look/parts.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { texts as states } from "../../platform/states/texts.ts";
import css from "../people.module.css";
import { nameOf, type PersonRead } from "../../find-person/person-name.ts";
import { texts } from "../texts.ts";

type Read = Static<typeof SubscriptionsShape>;
type Topic = Static<typeof TopicShape>;

/** A change that somebody has asked for, and not confirmed yet. */
interface Wanted {
  body: SubscriptionsPatch;
  on: boolean;
  /** What is turned on or off, in words. */
  what: string;
}

/** What the person wants to receive. A switch says what follows before anything changes. */
export function Subscriptions({ person }: { person: PersonRead }) {
  const t = useTexts(texts);
  const say = useTexts(states);
  const open = useWorkspace();
  const path = `/people/${encodeURIComponent(person.person_id)}`;
  const address = `${path}/subscriptions`;
  const read = useRead<Read>(address);
  const [wanted, setWanted] = useState<Wanted>();
  const change = async (body: SubscriptionsPatch) => {
    const saved = await open.call<Read>("PATCH", address, { body });
    queries.setQueryData([open.id, address, {}], saved.body);
    void queries.invalidateQueries({ queryKey: [open.id, `${path}/timeline`] });
  };
  return (
    <Section title={t("subscriptions")}>
      {!mayEdit(open) && <p className="quiet">{say("onlyRead")}</p>}
      <Answer of={read} loading={<Loading rows={3} />}>
        {(state) => <Switches state={state} onWant={setWanted} />}
      </Answer>
      {wanted && (
        <Ask
          title={t(wanted.on ? "turnOn" : "turnOff", { what: wanted.what })}
          yes={t(wanted.on ? "turnOnYes" : "turnOffYes")}
          onYes={() => change(wanted.body)}
          onClose={() => setWanted(undefined)}
        >
          <p>{t(wanted.on ? "turnOnSure" : "turnOffSure", { who: nameOf(person) ?? person.person_id })}</p>
        </Ask>
      )}
    </Section>
  );
}

function Switches({ state, onWant }: { state: Read; onWant: (wanted: Wanted) => void }) {
  const t = useTexts(texts);
  const allowed = mayEdit(useWorkspace());
  const topics = useList<Topic>("/topics", { limit: 200 });
  const off = !allowed || !state.subscribed;
  return (
    <div className={css.switches}>
      {state.suppressed.map(({ channel, reason }) => (
        <Note key={channel} tone="warn">
          {t("suppressed", { address: t(channel), reason: t(`suppressed_${reason}`) })}
        </Note>
      ))}
      <Switch
        label={t("subscribedAll")}
        description={t("subscribedAllHint")}
        checked={state.subscribed}
        disabled={!allowed}
        onChange={({ currentTarget: { checked: on } }) =>
          onWant({ body: { subscribed: on }, on, what: t("allMessages") })
        }
      />
      <h3>{t("channels")}</h3>
      {channels.map((channel) => (
        <Switch
          key={channel}
          size="xs"
          label={t(channel)}
          checked={state.channels[channel]}
          disabled={off}
          onChange={({ currentTarget: { checked: on } }) =>
            onWant({ body: { channels: { [channel]: on } }, on, what: t(channel) })
          }
        />
      ))}
      {topics.rows.length > 0 && <h3>{t("topics")}</h3>}
      {topics.rows.map(({ id, name, description }) => (
        <Switch
          key={id}
          size="xs"
          label={name}
          description={description}
          checked={state.topics[id] ?? false}
          disabled={off}
          onChange={({ currentTarget: { checked: on } }) => onWant({ body: { topics: { [id]: on } }, on, what: name })}
        />
      ))}
    </div>
  );
}
