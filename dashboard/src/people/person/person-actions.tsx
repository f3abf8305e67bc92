import { Button, Menu } from "@mantine/core";
import { useState } from "react";
import { queries } from "../../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../../platform/call/workspace.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { texts as states } from "../../platform/states/texts.ts";
import { tell, tellFault } from "../../platform/states/toasts.tsx";
import { useLeave } from "../../platform/use-leave.ts";
import type { PersonRead } from "../../find-person/person-name.ts";
import { texts } from "../texts.ts";
import { Erase } from "./erase.tsx";
import { Merge } from "./merge.tsx";

/** What one can do with a person; what can't be undone says first what it does. */
export function PersonActions({ person }: { person: PersonRead }) {
  const t = useTexts(texts);
  const say = useTexts(states);
  const open = useWorkspace();
  const leave = useLeave();
  const [asked, setAsked] = useState<"merge" | "erase">();
  const path = `/people/${encodeURIComponent(person.person_id)}`;
  /** The person is gone: forgets what was read of them, and goes to who stays, or to the list. */
  const left = async (said: string, to?: string) => {
    tell(said);
    await (to === undefined
      ? leave({ to: "/w/$workspace/people", params: { workspace: open.id } })
      : leave({ to: "/w/$workspace/people/$person", params: { workspace: open.id, person: to } }));
    queries.removeQueries({ queryKey: [open.id, path] });
    void queries.invalidateQueries({ queryKey: [open.id] });
  };
  const download = async () => {
    try {
      const { body } = await open.call<unknown>("GET", `${path}/export`);
      const address = URL.createObjectURL(new Blob([JSON.stringify(body, null, 2)], { type: "application/json" }));
      Object.assign(document.createElement("a"), { href: address, download: `${person.person_id}.json` }).click();
      URL.revokeObjectURL(address);
      tell(t("exported"));
    } catch (error) {
      tellFault(error as Error);
    }
  };
  const allowed = mayEdit(open);
  return (
    <>
      <Menu position="bottom-end" width={264}>
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={14} />}>
            {t("more")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void download()}>{t("export")}</Menu.Item>
          <Menu.Divider />
          {!allowed && <Menu.Label>{say("onlyRead")}</Menu.Label>}
          <Menu.Item disabled={!allowed} onClick={() => setAsked("merge")}>
            {t("merge")}
          </Menu.Item>
          <Menu.Item color="red" disabled={!allowed} onClick={() => setAsked("erase")}>
            {t("erase")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked === "merge" && (
        <Merge
          person={person.person_id}
          onClose={() => setAsked(undefined)}
          onDone={(into) => left(t("merged"), into)}
        />
      )}
      {asked === "erase" && (
        <Erase person={person.person_id} onClose={() => setAsked(undefined)} onDone={() => left(t("erased"))} />
      )}
    </>
  );
}
