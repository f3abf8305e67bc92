import { ActionIcon } from "@mantine/core";
import { Panel, useReactFlow } from "@xyflow/react";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import css from "./canvas.module.css";
import { texts } from "./texts.ts";

/** Nearer, further, and all of it. */
export function Zoom() {
  const t = useTexts(texts);
  const flow = useReactFlow();
  return (
    <Panel position="bottom-left" className={css.zoom ?? ""}>
      <ActionIcon variant="default" aria-label={t("zoomIn")} title={t("zoomIn")} onClick={() => void flow.zoomIn()}>
        <Icon name="plus" size={14} />
      </ActionIcon>
      <ActionIcon variant="default" aria-label={t("zoomOut")} title={t("zoomOut")} onClick={() => void flow.zoomOut()}>
        <Icon name="minus" size={14} />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={t("fit")}
        title={t("fit")}
        onClick={() => void flow.fitView({ maxZoom: 1, padding: 0.1 })}
      >
        <Icon name="fit" size={14} />
      </ActionIcon>
    </Panel>
  );
}
