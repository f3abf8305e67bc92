import type { Screen as ScreenShape } from "@tidings/contract/facts/screens";
import { Button } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Static } from "typebox";
import { useList } from "../platform/call/queries.ts";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { ListSearch } from "../platform/list/list-search.tsx";
import { More } from "../platform/list/more.tsx";
import { Icon } from "../platform/look/icons.tsx";
import { Item, Lines, List } from "../platform/look/parts.tsx";
import { Copy } from "../platform/states/copy.tsx";
import { Answer, Empty, Loading } from "../platform/states/states.tsx";
import { Page } from "../platform/trail.tsx";
import css from "./screens.module.css";
import { texts } from "./texts.ts";

type Screen = Required<Static<typeof ScreenShape>>;
const route = getRouteApi("/w/$workspace/screens");

/** The screens that applications report, with those that look alike and the messages that name them. */
export function Screens() {
  const t = useTexts(texts);
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useList<Screen>("/screens", { include: "usage", ...(q && { q }) }, { keep: true });
  const seek = (text: string) => void navigate({ search: text ? { q: text } : {}, replace: true });
  return (
    <Page title={t("screens")} lead={t("lead")} wide>
      <search>
        <ListSearch className={css.search} label={t("search")} value={q} onSearch={seek} />
      </search>
      <Answer of={list} loading={<Loading rows={10} />}>
        {() => (list.rows.length > 0 ? <Found list={list} /> : <None q={q} onClear={() => seek("")} />)}
      </Answer>
    </Page>
  );
}

function Found({ list }: { list: ReturnType<typeof useList<Screen>> }) {
  return (
    <>
      <List>
        {list.rows.map((screen) => (
          <Item key={screen.name} wrap>
            <Row screen={screen} />
          </Item>
        ))}
      </List>
      <More list={list} />
    </>
  );
}

function None({ q, onClear }: { q: string; onClear: () => void }) {
  const t = useTexts(texts);
  if (!q)
    return (
      <Empty icon="phone" title={t("none")}>
        <p>{t("noneBody")}</p>
        <code>{'POST /data-gateway/v1/track { "eventName": "screen_view", "properties": { "screen": "Home" } }'}</code>
      </Empty>
    );
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t("clear")}
    </Button>
  );
  return (
    <Empty icon="search" title={t("noMatch")} action={clear}>
      {t("noMatchBody")}
    </Empty>
  );
}

function Row({ screen }: { screen: Screen }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { name, first_seen: first, last_seen: last, similar, used_by: users } = screen;
  const named = (rule: "include" | "exclude") => users.filter((user) => user.rule === rule).map((user) => user.name);
  const [shown, hidden] = [named("include"), named("exclude")];
  return (
    <>
      <Lines>
        <span className={css.name}>
          <code>{name}</code>
          <Copy value={name} what={name} />
        </span>
        {shown.length > 0 && <span className="quiet">{t("include", { names: shown.join(", ") })}</span>}
        {hidden.length > 0 && <span className="quiet">{t("exclude", { names: hidden.join(", ") })}</span>}
        {users.length === 0 && <span className="quiet">{t("unused")}</span>}
        {similar.length > 0 && (
          <span className={css.similar} title={t("similarHint")}>
            <Icon name="warn" size={14} />
            {t("similar")}
            {similar.map((other) => (
              <Link key={other} from="/w/$workspace/screens" to="/w/$workspace/screens" search={{ q: other }}>
                {other}
              </Link>
            ))}
          </span>
        )}
      </Lines>
      <time
        className={`${css.time} quiet`}
        dateTime={last}
        title={t("seenTitle", { first: format.instant(first), last: format.instant(last) })}
      >
        {t("seen", { time: format.ago(last) })}
      </time>
    </>
  );
}
