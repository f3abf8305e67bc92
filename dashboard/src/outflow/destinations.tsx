import { Button } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useList, useRead } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Badge, Item, Lines, List } from "../platform/look/parts.tsx";
import { Answer, Empty, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import { type Destination, type State, stateTone } from "./destination.ts";
import { NewDestination } from "./destination-form.tsx";
import { texts } from "./texts.ts";

export const LOOK_MS = 5_000;

/** Where the workspace's data is streamed out to, newest first. */
export function Destinations() {
  const t = useTexts(texts);
  const open = useWorkspace();
  const navigate = useNavigate();
  const list = useList<Destination>("/export-destinations", { limit: 50 });
  const [adding, setAdding] = useState(false);
  const mayChange = open.role === "owner";
  const add = (
    <Button disabled={!mayChange} onClick={() => setAdding(true)} leftSection={<Icon name="plus" />}>
      {t("add")}
    </Button>
  );
  return (
    <Page title={t("destinations")} lead={mayChange ? t("lead") : `${t("lead")} ${t("onlyOwners")}`} actions={add}>
      <Answer of={list} loading={<Loading rows={3} height={32} />}>
        {() =>
          list.rows.length === 0 ? (
            <Empty icon="external" title={t("none")}>
              {t("noneBody")}
            </Empty>
          ) : (
            <List>
              {list.rows.map((destination) => (
                <Item key={destination.id} wrap>
                  <Row destination={destination} />
                </Item>
              ))}
            </List>
          )
        }
      </Answer>
      {adding && (
        <NewDestination
          onClose={() => setAdding(false)}
          onMade={({ id }) => {
            const params = { workspace: open.id, destination: id };
            void navigate({ to: "/w/$workspace/export-destinations/$destination", params });
          }}
        />
      )}
    </Page>
  );
}

function Row({ destination }: { destination: Destination }) {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const { id, name, kind, tables } = destination;
  const state = useRead<State>(`/export-destinations/${id}/state`, {}, { everyMs: LOOK_MS });
  return (
    <>
      <Lines>
        <Link
          to="/w/$workspace/export-destinations/$destination"
          params={{ workspace, destination: id }}
          className="row-link"
        >
          {name}
        </Link>
        <span className="quiet">{[t(kind), ...tables.map((table) => t(table))].join(" · ")}</span>
      </Lines>
      {state.data && <Badge tone={stateTone[state.data.status]}>{t(state.data.status)}</Badge>}
    </>
  );
}
