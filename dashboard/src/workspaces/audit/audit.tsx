import type { AuditEntry } from "@tidings/contract/audit";
import type { Workspace } from "@tidings/contract/workspaces";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Static } from "typebox";
import { useList, useRead } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { More, NoRows } from "../../platform/list/more.tsx";
import { changedSearch } from "../../platform/list/search.ts";
import { List } from "../../platform/look/parts.tsx";
import { Answer, Empty, Loading } from "../../platform/states/states.tsx";
import { Page } from "../../platform/trail.tsx";
import { Entry } from "./entry.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { type Change, isFiltered, queryOf } from "./search.ts";
import { texts } from "./texts.ts";

type AuditRow = Static<typeof AuditEntry>;
const route = getRouteApi("/w/$workspace/audit");
/** As the service has it where the workspace says nothing. */
const USUAL_DAYS = 365;

/** Who changed what. The filters and the open entry are in the address. */
export function Audit() {
  const t = useTexts(texts);
  const open = useWorkspace();
  const { open: opened, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const now = useMemo(() => Date.now(), []);
  const workspace = useRead<Static<typeof Workspace>>("/workspace");
  const list = useList<AuditRow>("/audit", { ...queryOf(search, now), limit: 50 }, { keep: true, everyMs: 30_000 });
  const change = (changed: Change) =>
    void navigate({
      search: (before) => changedSearch(before, changed),
      replace: true,
    });
  const days = workspace.data && (workspace.data.retention.audit ?? USUAL_DAYS);
  return (
    <Page title={t("audit")} lead={days && t("lead", { days })} wide>
      {open.role === "owner" && (
        <FilterBar
          search={search}
          nameOf={(id) => nameIn(list.rows, id)}
          onChange={change}
          onClear={() => void navigate({ search: {} })}
        />
      )}
      <Answer of={list} loading={<Loading rows={8} />}>
        {() =>
          list.rows.length === 0 ? (
            <NoRows
              filtered={isFiltered(search)}
              title={t("noMatch")}
              body={t("noMatchBody")}
              onClear={() => void navigate({ search: {} })}
            >
              <Empty icon="history" title={t("none")}>
                {t("noneBody")}
              </Empty>
            </NoRows>
          ) : (
            <List ordered label={t("audit")} busy={list.isPlaceholderData}>
              {list.rows.map((entry) => (
                <Entry key={entry.id} entry={entry} open={entry.id === opened} onChange={change} />
              ))}
            </List>
          )
        }
      </Answer>
      <More list={list} text={t("older")} />
    </Page>
  );
}

/** Returns what the log calls somebody or something; undefined where no entry that is shown names it. */
function nameIn(rows: readonly AuditRow[], id: string): string | undefined {
  const resource = rows.find((row) => row.resource.id === id)?.resource.name;
  return resource || rows.find(({ actor }) => actor.id === id)?.actor.name;
}
