import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { AuthoredList } from "../../platform/list/authored-list.tsx";
import { Icon, type IconName } from "../../platform/look/icons.tsx";
import { Empty } from "../../platform/states/states.tsx";
import { texts as states } from "../../platform/states/texts.ts";
import { Page } from "../../platform/trail.tsx";
import type { TemplatesSearch } from "../search.ts";
import { texts } from "../texts.ts";
import { RoomTabs } from "./tabs.tsx";

interface ListPageProps<T> {
  kind: "templates" | "layouts" | "snippets";
  path: string;
  icon: IconName;
  search: TemplatesSearch;
  onSearch: (search: TemplatesSearch) => void;
  /** The dialog that makes one, while the address says so. */
  dialog: ReactNode;
  children: (row: T) => ReactNode;
}

/** One of the three lists of the room. */
export function ListPage<T extends { id: string }>(props: ListPageProps<T>) {
  const { kind, path, icon, search, onSearch, dialog, children } = props;
  const t = useTexts(texts);
  const say = useTexts(states);
  const may = mayEdit(useWorkspace());
  const { new: making, ...listed } = search;
  const make = (
    <Button
      leftSection={<Icon name="plus" />}
      disabled={!may}
      title={may ? undefined : say("onlyRead")}
      onClick={() => onSearch({ ...search, new: "yes" })}
    >
      {t(`new_${kind}`)}
    </Button>
  );
  return (
    <Page title={t(kind === "templates" ? "room" : kind)} lead={t(`${kind}Lead`)} actions={make} wide>
      <RoomTabs />
      <AuthoredList<T>
        path={path}
        search={listed}
        onSearch={onSearch}
        label={t(kind)}
        searchLabel={t(kind === "templates" ? "searchTemplates" : "searchParts")}
        facets={[]}
        none={
          <Empty icon={icon} title={t(`none_${kind}`)}>
            {t(`noneBody_${kind}`)}
          </Empty>
        }
      >
        {children}
      </AuthoredList>
      {making && may && dialog}
    </Page>
  );
}
