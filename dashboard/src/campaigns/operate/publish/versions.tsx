import { Button, Group, Modal } from "@mantine/core";
import type { CampaignVersionList } from "@tidings/contract/campaigns/campaigns";
import type { Static } from "typebox";
import { useList } from "../../../platform/call/queries.ts";
import { HistoryLink } from "../../../platform/history-link.tsx";
import { useFormat } from "../../../platform/language/format.ts";
import { useTexts } from "../../../platform/language/texts.ts";
import { More } from "../../../platform/list/more.tsx";
import { Badge, Item, Lines, List } from "../../../platform/look/parts.tsx";
import { useCloseButton } from "../../../platform/look/side-drawer.tsx";
import { Answer, Loading } from "../../../platform/states/states.tsx";
import type { Campaign } from "../../campaign-shape.ts";
import { texts } from "./texts.ts";

type Version = Static<typeof CampaignVersionList>["data"][number];

/** Who published which version when, and what became of those who were inside. */
export function Versions({ campaign: { id, name, published }, onClose }: { campaign: Campaign; onClose: () => void }) {
  const t = useTexts(texts);
  const format = useFormat();
  const list = useList<Version>(`/campaigns/${id}/versions`);
  const about = ({ activated_at: at, activated_by: by, inside }: Version) =>
    [by?.name || by?.type, format.instant(at), inside && t(`decided_${inside}`)].filter(Boolean).join(" · ");
  return (
    <Modal opened onClose={onClose} title={`${t("versions")}: ${name}`} {...useCloseButton()}>
      <Answer of={list} loading={<Loading rows={3} />}>
        {() =>
          list.rows.length === 0 ? (
            <p className="quiet">{t("noVersions")}</p>
          ) : (
            <List>
              {list.rows.map((one) => (
                <Item key={one.version} wrap>
                  <Lines>
                    <span>{t("version", { version: one.version })}</span>
                    <span className="quiet">{about(one)}</span>
                  </Lines>
                  {one.version === published?.version && <Badge tone="good">{t("current")}</Badge>}
                </Item>
              ))}
            </List>
          )
        }
      </Answer>
      <More list={list} />
      <Group justify="flex-end" mt="md">
        <HistoryLink of={id} name={name} />
        <Button variant="default" onClick={onClose}>
          {t("close")}
        </Button>
      </Group>
    </Modal>
  );
}
