import { Button, Menu, TextInput } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Ask } from "../platform/ask.tsx";
import { queries } from "../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { tell } from "../platform/states/toasts.tsx";
import { texts } from "./texts.ts";

/** What one can do with a person; what can't be undone says first what it does. */
export function PersonActions({ person }: { person: string }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"merge" | "erase">();
  const [into, setInto] = useState("");
  const path = `/people/${encodeURIComponent(person)}`;
  const left = async (said: string, to?: string) => {
    tell(said);
    queries.removeQueries({ queryKey: [open.id, path] });
    void queries.invalidateQueries({ queryKey: [open.id, "/people"] });
    await (to === undefined
      ? navigate({ to: "/w/$workspace/people", params: { workspace: open.id } })
      : navigate({ to: "/w/$workspace/people/$person", params: { workspace: open.id, person: to } }));
  };
  const download = async () => {
    try {
      const { body } = await open.call<unknown>("GET", `${path}/export`);
      const address = URL.createObjectURL(new Blob([JSON.stringify(body, null, 2)], { type: "application/json" }));
      Object.assign(document.createElement("a"), { href: address, download: `${person}.json` }).click();
      URL.revokeObjectURL(address);
    } catch (error) {
      tell((error as Error).message, { bad: true });
    }
  };
  return (
    <>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link
            to="/w/$workspace/deliveries"
            params={{ workspace: open.id }}
            search={{ person_id: person }}
            {...props}
          />
        )}
      >
        {t("deliveries")}
      </Button>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={14} />}>
            {t("more")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void download()}>{t("export")}</Menu.Item>
          <Menu.Item disabled={!mayEdit(open)} onClick={() => setAsked("merge")}>
            {t("merge")}
          </Menu.Item>
          <Menu.Item color="red" disabled={!mayEdit(open)} onClick={() => setAsked("erase")}>
            {t("erase")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked === "merge" && (
        <Ask
          title={t("mergeYes")}
          yes={t("mergeYes")}
          onClose={() => setAsked(undefined)}
          onYes={async () => {
            await open.call("POST", `${path}/merge`, { body: { into } });
            await left(t("merged"), into);
          }}
        >
          <p>{t("mergeSure", { person })}</p>
          <TextInput
            label={t("mergeInto")}
            value={into}
            onChange={(event) => setInto(event.currentTarget.value)}
            mb="sm"
          />
        </Ask>
      )}
      {asked === "erase" && (
        <Ask
          title={person}
          yes={t("eraseYes")}
          bad
          onClose={() => setAsked(undefined)}
          onYes={async () => {
            await open.call("DELETE", path);
            await left(t("erased"));
          }}
        >
          <p>{t("eraseSure")}</p>
        </Ask>
      )}
    </>
  );
}
