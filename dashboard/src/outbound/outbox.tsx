import { ActionIcon, Anchor, Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { getRouteApi, Link } from "@tanstack/react-router";
import { channelIcon } from "../activity/delivery.ts";
import { useList } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Icon } from "../platform/look/icons.tsx";
import { Lines } from "../platform/look/parts.tsx";
import { Rows } from "../platform/rows.tsx";
import { Answer, Empty, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import { type Captured, titleOf } from "./captured.ts";
import { Message } from "./message.tsx";
import css from "./outbox.module.css";
import { texts } from "./texts.ts";

const route = getRouteApi("/w/$workspace/outbox");

/** The captured messages: the list on the left, the open one on the right; on a phone one after the other. */
export function Outbox() {
  const t = useTexts(texts);
  const { id: workspace } = useWorkspace();
  const { open } = route.useSearch();
  const narrow = useMediaQuery("(max-width: 960px)", window.innerWidth <= 960);
  const list = useList<Captured>("/outbox");
  const chosen = list.rows.find(({ id }) => id === open) ?? (narrow ? undefined : list.rows[0]);
  const refresh = (
    <ActionIcon variant="default" size={36} onClick={() => void list.refetch()} aria-label={t("refresh")}>
      <Icon name="refresh" />
    </ActionIcon>
  );
  const empty = (
    <Empty
      title={t("none")}
      action={
        <Anchor component={Link} to={`/w/${workspace}/deliveries`}>
          {t("toDeliveries")}
        </Anchor>
      }
    >
      {t("noneBody")}
    </Empty>
  );
  if (narrow && chosen)
    return (
      <Page title={t("outbox")} wide>
        <div>
          <Button
            variant="default"
            size="xs"
            mb="md"
            renderRoot={(props) => <Link to="/w/$workspace/outbox" params={{ workspace }} search={{}} {...props} />}
          >
            {t("back")}
          </Button>
        </div>
        <Message captured={chosen} key={chosen.id} />
      </Page>
    );
  return (
    <Page title={t("outbox")} lead={t("lead")} actions={refresh} wide>
      <Answer of={list} loading={<Loading rows={8} />}>
        {() =>
          list.rows.length === 0 ? (
            empty
          ) : (
            <div className={css.split}>
              <div>
                <Rows rows={list.rows} list={list} idOf={({ id }) => id} label={t("outbox")} height={64}>
                  {(captured) => <Row captured={captured} open={captured.id === chosen?.id} />}
                </Rows>
              </div>
              {!narrow && <div className={css.open}>{chosen && <Message captured={chosen} key={chosen.id} />}</div>}
            </div>
          )
        }
      </Answer>
    </Page>
  );
}

function Row({ captured, open }: { captured: Captured; open: boolean }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  return (
    <Link
      to="/w/$workspace/outbox"
      params={{ workspace }}
      search={{ open: captured.id }}
      className={css.row ?? ""}
      aria-current={open ? "true" : undefined}
    >
      <Icon name={channelIcon[captured.channel]} />
      <Lines>
        <span className="cut">{titleOf(captured) ?? t("noSubject")}</span>
        <span className="cut quiet">{captured.recipient}</span>
      </Lines>
      <time className="quiet" dateTime={captured.captured_at} title={format.instant(captured.captured_at)}>
        {format.ago(captured.captured_at)}
      </time>
    </Link>
  );
}
