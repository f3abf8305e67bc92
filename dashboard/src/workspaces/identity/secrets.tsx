import type { SigningSecretCreated, SigningSecret as Shape } from "@tidings/contract/workspaces";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Static } from "typebox";
import { Ask } from "../../platform/ask.tsx";
import { queries, useList } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { Badge, Item, Lines, List, Section } from "../../platform/look/parts.tsx";
import { Answer, Empty, Loading } from "../../platform/states/states.tsx";
import { ShownOnce } from "../../platform/states/shown-once.tsx";
import { tell, tellFault } from "../../platform/states/toasts.tsx";
import css from "../workspaces.module.css";
import { texts } from "./texts.ts";

type Secret = Static<typeof Shape>;
const PATH = "/signing-secrets";

/** The secrets that sign person tokens: two may be live at once. */
export function Secrets() {
  const t = useTexts(texts);
  const open = useWorkspace();
  const list = useList<Secret>(PATH, { limit: 200 });
  const [made, setMade] = useState<Static<typeof SigningSecretCreated>>();
  const [revoking, setRevoking] = useState<Secret>();
  const mayChange = open.role === "owner";
  const again = () => void queries.invalidateQueries({ queryKey: [open.id, PATH] });
  const live = list.rows.filter(({ revoked_at }) => revoked_at === null).length;
  const make = useMutation({
    mutationFn: () => open.call<Static<typeof SigningSecretCreated>>("POST", PATH, { body: {} }),
    onSuccess: ({ body }) => {
      setMade(body);
      again();
    },
    onError: tellFault,
  });
  const button = (
    <Button
      variant="default"
      disabled={!mayChange || live >= 2}
      loading={make.isPending}
      onClick={() => make.mutate()}
      leftSection={<Icon name="plus" />}
    >
      {t("newSecret")}
    </Button>
  );
  return (
    <Section title={t("secrets")} aside={button}>
      <p className="quiet">{live >= 2 ? t("twoLive") : t("secretsLead")}</p>
      <Answer of={list} loading={<Loading rows={2} height={32} />}>
        {() =>
          list.rows.length === 0 ? (
            <Empty icon="key" title={t("noSecret")}>
              {t("noSecretBody")}
            </Empty>
          ) : (
            <List>
              {list.rows.map((secret) => (
                <Item key={secret.kid} wrap>
                  <SecretRow secret={secret} {...(mayChange && { onRevoke: () => setRevoking(secret) })} />
                </Item>
              ))}
            </List>
          )
        }
      </Answer>
      {made && (
        <ShownOnce
          title={t("madeTitle")}
          lead={t("madeLead")}
          values={[
            { name: "kid", value: made.kid },
            { name: "secret", value: made.secret },
          ]}
          onClose={() => setMade(undefined)}
        />
      )}
      {revoking && (
        <Ask
          title={`${t("revoke")}: ${revoking.kid}`}
          yes={t("revoke")}
          bad
          onClose={() => setRevoking(undefined)}
          onYes={async () => {
            await open.call("DELETE", `${PATH}/${revoking.kid}`);
            tell(t("revokedNow"));
            again();
          }}
        >
          {t(live > 1 ? "revokeSure" : "revokeLast")}
        </Ask>
      )}
    </Section>
  );
}

function SecretRow({ secret, onRevoke }: { secret: Secret; onRevoke?: () => void }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { kid, created_at, revoked_at } = secret;
  const times = [
    t("made", { time: format.ago(created_at) }),
    revoked_at && t("ended", { time: format.ago(revoked_at) }),
  ];
  return (
    <>
      <Lines>
        <span className={css.itemName} data-off={revoked_at !== null}>
          <code>{kid}</code>
        </span>
        <span className="quiet">{times.filter(Boolean).join(" · ")}</span>
      </Lines>
      <Badge tone={revoked_at ? "plain" : "good"}>{t(revoked_at ? "revoked" : "live")}</Badge>
      {!revoked_at && onRevoke && (
        <Button variant="default" size="xs" onClick={onRevoke} aria-label={`${t("revoke")}: ${kid}`}>
          {t("revoke")} …
        </Button>
      )}
    </>
  );
}
