import type {
  Subscriptions as SubscriptionsShape,
  SubscriptionsPatch,
  Topic as TopicShape,
} from "@tidings/contract/audience/subscriptions";
import { Switch } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { Static } from "typebox";
import { channels } from "../activity/delivery.ts";
import { queries, useList, useRead } from "../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Note, Section } from "../platform/look/parts.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import { tell } from "../platform/states/toasts.tsx";
import css from "./people.module.css";
import { texts } from "./texts.ts";

type Read = Static<typeof SubscriptionsShape>;
type Topic = Static<typeof TopicShape>;

/** What the person wants to receive. Each switch is saved at once. */
export function Subscriptions({ path }: { path: string }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const address = `${path}/subscriptions`;
  const read = useRead<Read>(address);
  const topics = useList<Topic>("/topics", { limit: 200 });
  const change = useMutation({
    mutationFn: async (body: SubscriptionsPatch) => (await open.call<Read>("PATCH", address, { body })).body,
    onSuccess: (saved) => queries.setQueryData([open.id, address, {}], saved),
    onError: (error) => tell(error.message, { bad: true }),
  });
  const off = !mayEdit(open) || change.isPending;
  return (
    <Section title={t("subscriptions")}>
      <Answer of={read} loading={<Loading rows={3} />}>
        {(state) => (
          <div className={css.switches}>
            {state.suppressed.map(({ channel, reason }) => (
              <Note key={channel} tone="warn">
                {t("suppressed", { address: t(channel), reason })}
              </Note>
            ))}
            <Switch
              label={t("subscribedAll")}
              description={t("subscribedAllHint")}
              checked={state.subscribed}
              disabled={off}
              onChange={(event) => change.mutate({ subscribed: event.currentTarget.checked })}
            />
            <h3>{t("channels")}</h3>
            {channels.map((channel) => (
              <Switch
                key={channel}
                size="xs"
                label={t(channel)}
                checked={state.channels[channel]}
                disabled={off || !state.subscribed}
                onChange={(event) => change.mutate({ channels: { [channel]: event.currentTarget.checked } })}
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
                disabled={off || !state.subscribed}
                onChange={(event) => change.mutate({ topics: { [id]: event.currentTarget.checked } })}
              />
            ))}
          </div>
        )}
      </Answer>
    </Section>
  );
}
