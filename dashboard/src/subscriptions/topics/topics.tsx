import type { Topic as TopicShape } from "@tidings/contract/audience/subscriptions";
import { Button, UnstyledButton } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { Static } from "typebox";
import { queries, useList } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { Badge, Item, Lines, List } from "../../platform/look/parts.tsx";
import { Answer, Empty, Loading } from "../../platform/states/states.tsx";
import { Page } from "../../platform/trail.tsx";
import css from "../subscriptions.module.css";
import { NewTopic, OpenTopic } from "./topic-form.tsx";
import { texts } from "./texts.ts";

export type Topic = Static<typeof TopicShape>;
const route = getRouteApi("/w/$workspace/topics");

/** What people can subscribe to. The open one is in the address. */
export function Topics() {
  const t = useTexts(texts);
  const open = useWorkspace();
  const { open: id } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useList<Topic>("/topics", { limit: 200, sort: "name" });
  const [making, setMaking] = useState(false);
  const may = mayEdit(open);
  const show = (topic?: string) => void navigate({ search: topic ? { open: topic } : {} });
  const again = () => void queries.invalidateQueries({ queryKey: [open.id, "/topics"] });
  const make = (
    <Button disabled={!may} onClick={() => setMaking(true)} leftSection={<Icon name="plus" />}>
      {t("newTopic")}
    </Button>
  );
  return (
    <Page title={t("topics")} lead={may ? t("lead") : `${t("lead")} ${t("onlyEditors")}`} actions={make}>
      <Answer of={list} loading={<Loading rows={4} height={32} />}>
        {() =>
          list.rows.length === 0 ? (
            <Empty icon="bell" title={t("none")}>
              {t("noneBody")}
            </Empty>
          ) : (
            <List>
              {list.rows.map((topic) => (
                <Item key={topic.id} wrap>
                  <Lines>
                    <UnstyledButton className={css.name ?? ""} onClick={() => show(topic.id)}>
                      {topic.name}
                    </UnstyledButton>
                    <span className="quiet">{topic.description ?? t("noDescription")}</span>
                  </Lines>
                  {topic.exempt_from_limits && <Badge tone="warn">{t("exempt")}</Badge>}
                  <Badge tone={topic.default === "subscribed" ? "good" : "plain"}>
                    {t(topic.default === "subscribed" ? "byDefaultOn" : "byDefaultOff")}
                  </Badge>
                </Item>
              ))}
            </List>
          )
        }
      </Answer>
      {making && <NewTopic onClose={() => setMaking(false)} onMade={again} />}
      {id && <OpenTopic key={id} id={id} onClose={() => show()} onChanged={again} />}
    </Page>
  );
}
