import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useList } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Badge, Item, Lines, List } from "../platform/look/parts.tsx";
import { ShownOnce } from "../platform/states/shown-once.tsx";
import { Answer, Empty, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import { NewEndpoint } from "./endpoint-form.tsx";
import { Sample } from "./sample.tsx";
import { texts } from "./texts.ts";
import { stateOf, stateTone, type Webhook } from "./webhook.ts";

const LOOK_MS = 5_000;

/** The endpoints of the workspace, newest first. */
export function Webhooks() {
  const t = useTexts(texts);
  const open = useWorkspace();
  const list = useList<Webhook>("/webhooks", { limit: 200 }, { everyMs: LOOK_MS });
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const mayChange = open.role === "owner";
  const add = (
    <Button disabled={!mayChange} onClick={() => setAdding(true)} leftSection={<Icon name="plus" />}>
      {t("add")}
    </Button>
  );
  return (
    <Page title={t("webhooks")} lead={mayChange ? t("lead") : `${t("lead")} ${t("onlyOwners")}`} actions={add}>
      <Answer of={list} loading={<Loading rows={4} height={32} />}>
        {() =>
          list.rows.length === 0 ? (
            <Empty icon="hook" title={t("none")}>
              {t("noneBody")}
            </Empty>
          ) : (
            <List>
              {list.rows.map((webhook) => (
                <Item key={webhook.id} wrap>
                  <Row webhook={webhook} />
                </Item>
              ))}
            </List>
          )
        }
      </Answer>
      <Sample />
      {adding && (
        <NewEndpoint
          onClose={() => setAdding(false)}
          onMade={(made) => {
            setAdding(false);
            setSecret(made.secret);
          }}
        />
      )}
      {secret && (
        <ShownOnce
          title={t("secretTitle")}
          lead={t("secretBody")}
          values={[{ name: t("secretTitle"), value: secret }]}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Page>
  );
}

function Row({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const { id, url, description, types } = webhook;
  const state = stateOf(webhook, Date.now());
  const said = [description, types.length === 0 ? t("everyEvent") : t("types", { count: types.length })];
  return (
    <>
      <Lines>
        <Link to="/w/$workspace/webhooks/$webhook" params={{ workspace, webhook: id }} className="row-link">
          {url}
        </Link>
        <span className="quiet">{said.filter(Boolean).join(" · ")}</span>
      </Lines>
      <Badge tone={stateTone[state]}>{t(state)}</Badge>
    </>
  );
}
