import type { ApiKeyList } from "@tidings/contract/workspaces";
import { Button, Menu } from "@mantine/core";
import { useState } from "react";
import type { Static } from "typebox";
import { Ask } from "../../platform/ask.tsx";
import { queries, useList } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { HistoryLink } from "../../platform/history-link.tsx";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { Badge, Item, Lines, List } from "../../platform/look/parts.tsx";
import { ShownOnce } from "../../platform/states/shown-once.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import { Page } from "../../platform/trail.tsx";
import { NewKey } from "./new-key.tsx";
import { RollKey } from "./roll-key.tsx";
import css from "../workspaces.module.css";
import { texts } from "./texts.ts";

export type ApiKey = Static<typeof ApiKeyList>["data"][number];
const has = (key: ApiKey, now: number) =>
  key.revoked_at ? "revoked" : key.expires_at && Date.parse(key.expires_at) <= now ? "expired" : "live";

/** The API keys of the workspace: those that work first. */
export function Keys() {
  const t = useTexts(texts);
  const open = useWorkspace();
  const list = useList<ApiKey>("/api-keys", { limit: 200 });
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<string>();
  const [asked, setAsked] = useState<{ what: "roll" | "revoke"; key: ApiKey }>();
  const mayChange = open.role === "owner";
  const again = () => void queries.invalidateQueries({ queryKey: [open.id, "/api-keys"] });
  const now = Date.now();
  const rows = list.rows.toSorted((a, b) => Number(has(a, now) !== "live") - Number(has(b, now) !== "live"));

  const revoke = async (key: ApiKey) => {
    await open.call("DELETE", `/api-keys/${key.id}`, { headers: { "if-match": key.etag } });
    tell(t("revokedNow"));
    again();
  };
  const show = (key: string) => {
    setMaking(false);
    setAsked(undefined);
    setMade(key);
    again();
  };
  const make = (
    <Button onClick={() => setMaking(true)} disabled={!mayChange} leftSection={<Icon name="plus" />}>
      {t("newKey")}
    </Button>
  );
  return (
    <Page title={t("keys")} lead={mayChange ? t("keysLead") : `${t("keysLead")} ${t("onlyOwners")}`} actions={make}>
      <Answer of={list} loading={<Loading rows={4} height={32} />}>
        {() => (
          <List>
            {rows.map((key) => (
              <Item key={key.id}>
                <KeyRow
                  apiKey={key}
                  state={has(key, now)}
                  {...(mayChange && { onAsk: (what: "roll" | "revoke") => setAsked({ what, key }) })}
                />
              </Item>
            ))}
          </List>
        )}
      </Answer>
      {making && <NewKey onClose={() => setMaking(false)} onMade={show} />}
      {made && (
        <ShownOnce
          title={t("madeTitle")}
          lead={t("madeBody")}
          values={[{ name: t("keys"), value: made }]}
          onClose={() => setMade(undefined)}
        />
      )}
      {asked?.what === "roll" && <RollKey apiKey={asked.key} onClose={() => setAsked(undefined)} onMade={show} />}
      {asked?.what === "revoke" && (
        <Ask
          title={`${t("revoke")}: ${asked.key.name}`}
          yes={t("revoke")}
          bad
          onYes={() => revoke(asked.key)}
          onClose={() => setAsked(undefined)}
        >
          {t("revokeSure")}
        </Ask>
      )}
    </Page>
  );
}

interface KeyRowProps {
  apiKey: ApiKey;
  state: "live" | "revoked" | "expired";
  onAsk?: (what: "roll" | "revoke") => void;
}

function KeyRow({ apiKey: key, state, onAsk }: KeyRowProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const said = [
    key.scopes ? key.scopes.join(", ") : key.kind === "secret" && t("everything"),
    key.last_used_at ? t("usedAt", { time: format.ago(key.last_used_at) }) : t("unused"),
    state === "live" && key.expires_at && t("expires", { time: format.ago(key.expires_at) }),
    state === "expired" && key.expires_at && t("expired", { time: format.ago(key.expires_at) }),
    key.revoked_at && t("revoked", { time: format.ago(key.revoked_at) }),
  ];
  return (
    <>
      <Lines>
        <span className={css.itemName} data-off={state !== "live"}>
          {key.name}
        </span>
        <span className="quiet">{said.filter(Boolean).join(" · ")}</span>
      </Lines>
      <HistoryLink of={key.id} name={key.name} />
      <Badge tone={state !== "live" ? "plain" : key.kind === "secret" ? "warn" : "good"}>{t(key.kind)}</Badge>
      {state === "live" && onAsk ? (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="subtle" color="gray" size="compact-sm" aria-label={`${key.name} …`}>
              <Icon name="down" />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => onAsk("roll")}>{t("roll")} …</Menu.Item>
            <Menu.Item color="red" onClick={() => onAsk("revoke")}>
              {t("revoke")} …
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ) : (
        <span className={css.noMenu} />
      )}
    </>
  );
}
