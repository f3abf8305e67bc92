import { Button, Tabs } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useRead } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { useRemember } from "../../platform/recent.ts";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { Page } from "../../platform/trail.tsx";
import css from "../people.module.css";
import { nameOf, type PersonRead } from "../../find-person/person-name.ts";
import { type PersonSearch, tabs } from "../search.ts";
import { texts } from "../texts.ts";
import { About } from "./about.tsx";
import { Devices } from "./devices.tsx";
import { InAppNow } from "./in-app-now.tsx";
import { Messages } from "./messages.tsx";
import { PersonActions } from "./person-actions.tsx";
import { Runs } from "./runs.tsx";
import { Subscriptions } from "./subscriptions.tsx";
import { Timeline } from "./timeline.tsx";

const route = getRouteApi("/w/$workspace/people/$person");

/** Everything about one person. The open tab, the filter of the time line and the open run are in the address. */
export function Person() {
  const t = useTexts(texts);
  const { person: id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { id: workspace } = useWorkspace();
  const path = `/people/${encodeURIComponent(id)}`;
  const read = useRead<PersonRead>(path);
  useRemember(`/w/${workspace}${path}`, read.data && (nameOf(read.data) ?? id), "people");
  const { tab = "timeline" } = search;
  const to = (next: PersonSearch) => void navigate({ search: next, replace: true });
  const above = [{ text: t("people"), link: { to: "/w/$workspace/people", params: { workspace } } as const }];
  const why = (
    <Button
      variant="default"
      renderRoot={(props) => (
        <Link to="/w/$workspace/explain" params={{ workspace }} search={{ person: id }} {...props} />
      )}
    >
      {t("whyNotShown")}
    </Button>
  );
  return (
    <Page
      title={(read.data && nameOf(read.data)) ?? id}
      above={above}
      wide
      actions={
        read.data && (
          <>
            {why}
            <PersonActions person={read.data} />
          </>
        )
      }
    >
      <Answer of={read} loading={<Loading rows={10} />}>
        {(person) => (
          <div className={css.columns} data-tab={tab}>
            <Tabs
              className={css.main ?? ""}
              value={tab}
              onChange={(next) =>
                to(next === "timeline" ? {} : { tab: tabs.find((one) => one === next) ?? "timeline" })
              }
              keepMounted={false}
            >
              <Tabs.List aria-label={t("person")}>
                {tabs.map((one) => (
                  <Tabs.Tab key={one} value={one} data-tab={one}>
                    {t(`tab_${one}`)}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Tabs.Panel value="timeline" pt="md">
                <Timeline path={path} show={search.show} onShow={(show) => to(show ? { show } : {})} />
              </Tabs.Panel>
              <Tabs.Panel value="messages" pt="md">
                <Messages person={id} />
              </Tabs.Panel>
              <Tabs.Panel value="in-app" pt="md">
                <InAppNow person={person} />
              </Tabs.Panel>
              <Tabs.Panel value="runs" pt="md">
                <Runs path={path} open={search.run} onOpen={(run) => to({ tab: "runs", ...(run && { run }) })} />
              </Tabs.Panel>
              <Tabs.Panel value="profile">
                <span />
              </Tabs.Panel>
            </Tabs>
            <div className={css.aside}>
              <About person={person} />
              <Subscriptions person={person} />
              <Devices path={path} />
            </div>
          </div>
        )}
      </Answer>
    </Page>
  );
}
