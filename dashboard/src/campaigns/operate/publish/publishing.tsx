import { Button, Menu, Tooltip } from "@mantine/core";
import { memo, useState } from "react";
import { mayEdit, useWorkspace } from "../../../platform/call/workspace.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { Icon } from "../../../platform/look/icons.tsx";
import { texts as stateTexts } from "../../../platform/states/texts.ts";
import type { Campaign } from "../../campaign-shape.ts";
import { Activation } from "./activation.tsx";
import { StatusChange, type StatusChangeKind } from "./status-change.tsx";
import { texts } from "./texts.ts";
import { Versions } from "./versions.tsx";

type OpenDialog = StatusChangeKind | "activate" | "versions";

const primary: Record<Campaign["status"], StatusChangeKind | undefined> = {
  draft: undefined,
  active: "pause",
  paused: "resume",
  archived: undefined,
};
const others: Record<Campaign["status"], readonly StatusChangeKind[]> = {
  draft: ["remove"],
  active: ["archive"],
  paused: ["archive"],
  archived: ["remove"],
};

/** Publishes a campaign and changes its status, each after it has said what follows. */
export const Publishing = memo(function Publishing({ campaign, dirty }: { campaign: Campaign; dirty: boolean }) {
  const t = useTexts(texts);
  const say = useTexts(stateTexts);
  const open = useWorkspace();
  const [asked, setAsked] = useState<OpenDialog>();
  const may = mayEdit(open);
  const { status, changed } = campaign;
  const publishes = status === "draft" || ((status === "active" || status === "paused") && changed);
  const move = primary[status];
  const close = () => setAsked(undefined);
  return (
    <>
      {move && (
        <Tooltip label={say("onlyRead")} disabled={may}>
          <Button
            variant="default"
            disabled={!may}
            leftSection={<Icon name={move === "pause" ? "pause" : "play"} size={14} />}
            onClick={() => setAsked(move)}
          >
            {t(move)}
          </Button>
        </Tooltip>
      )}
      {publishes && (
        <Tooltip label={may ? t("saveFirst") : say("onlyRead")} disabled={may && !dirty}>
          <Button disabled={!may || dirty} onClick={() => setAsked("activate")}>
            {t(status === "draft" ? "activate" : "publish")}
          </Button>
        </Tooltip>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={14} />}>
            {t("more")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsked("versions")}>{t("versions")}</Menu.Item>
          {others[status].map((one) => (
            <Menu.Item
              key={one}
              color="red"
              disabled={!may}
              title={may ? undefined : say("onlyRead")}
              onClick={() => setAsked(one)}
            >
              {t(one)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {asked === "activate" && <Activation campaign={campaign} onClose={close} />}
      {asked === "versions" && <Versions campaign={campaign} onClose={close} />}
      {asked && asked !== "activate" && asked !== "versions" && (
        <StatusChange campaign={campaign} kind={asked} onClose={close} />
      )}
    </>
  );
});
