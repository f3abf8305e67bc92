import type { PushedChannel } from "@tidings/contract/messages/outbound";
import { ActionIcon } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type DragEvent, useState } from "react";
import { queries } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Icon } from "../../platform/look/icons.tsx";
import { Badge, Lines } from "../../platform/look/parts.tsx";
import parts from "../../platform/look/parts.module.css";
import { tell, tellFault } from "../../platform/states/toasts.tsx";
import css from "./channels.module.css";
import { kindTexts } from "./kind-words.ts";
import { isKind } from "./kinds.ts";
import { texts } from "./texts.ts";
import type { Provider } from "./values.ts";

interface ProviderListProps {
  channel: PushedChannel;
  /** In the order in which they are asked. */
  providers: Provider[];
  mayChange: boolean;
}

/** The providers of a channel. Their order is changed by buttons, or by dragging a row. */
export function ProviderList({ channel, providers, mayChange }: ProviderListProps) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const [dragged, setDragged] = useState<string>();
  const [over, setOver] = useState<string>();
  const reorder = useMutation({
    mutationFn: (order: Provider[]) =>
      open.call("POST", "/providers/order", { body: { channel, providers: order.map(({ id }) => id) } }),
    onSuccess: () => tell(t("ordered")),
    onError: tellFault,
    onSettled: () => queries.invalidateQueries({ queryKey: [open.id, "/providers"] }),
  });
  const shown = reorder.isPending ? reorder.variables : providers;
  const move = (id: string, to: number) => {
    const from = shown.findIndex((one) => one.id === id);
    const one = shown[from];
    if (!one || to < 0 || to >= shown.length || to === from || reorder.isPending) return;
    reorder.mutate(shown.toSpliced(from, 1).toSpliced(to, 0, one));
  };
  const movable = mayChange && shown.length > 1;
  const drop = (event: DragEvent, to: number) => {
    event.preventDefault();
    if (dragged) move(dragged, to);
    setDragged(undefined);
    setOver(undefined);
  };
  return (
    <ol className={parts.list} aria-label={`${t("order")}: ${t(channel)}`}>
      {shown.map((provider, i) => (
        <li
          key={provider.id}
          className={`${parts.item} ${css.provider}`}
          data-over={over === provider.id && dragged !== provider.id}
          draggable={movable}
          onDragStart={() => setDragged(provider.id)}
          onDragEnd={() => setDragged(undefined)}
          onDragOver={(event) => {
            if (!dragged) return;
            event.preventDefault();
            setOver(provider.id);
          }}
          onDrop={(event) => drop(event, i)}
        >
          <span className={`${css.place} numbers`}>{i + 1}</span>
          <Row provider={provider} />
          {movable && (
            <span className={css.moves}>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={i === 0}
                onClick={() => move(provider.id, i - 1)}
                aria-label={t("up", { name: provider.name })}
              >
                <span className={css.upward}>
                  <Icon name="down" />
                </span>
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={i === shown.length - 1}
                onClick={() => move(provider.id, i + 1)}
                aria-label={t("down", { name: provider.name })}
              >
                <Icon name="down" />
              </ActionIcon>
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

const TONES = { ok: "good", slow: "warn", resting: "bad" } as const;

export function ProviderState({ provider }: { provider: Provider }) {
  const t = useTexts(texts);
  return <Badge tone={TONES[provider.state.status]}>{t(provider.state.status)}</Badge>;
}

function Row({ provider }: { provider: Provider }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { id: workspace } = useWorkspace();
  const { name, kind, state, settings, rate_per_second: rate } = provider;
  const kindName = useTexts(isKind(kind) ? kindTexts[kind] : kindTexts.local)("name");
  const place =
    settings.host ?? settings.domain ?? settings.region ?? settings.from ?? settings.project_id ?? settings.topic;
  const said = [
    isKind(kind) ? kindName : kind,
    typeof place === "string" && place,
    rate !== null && t("rateValue", { count: rate }),
    state.status === "resting" && state.until && t("until", { time: format.ago(state.until) }),
    state.status === "resting" && state.reason && t("quoted", { words: state.reason }),
  ];
  return (
    <>
      <Lines>
        <Link
          to="/w/$workspace/channels"
          params={{ workspace }}
          search={{ provider: provider.id }}
          className={css.name ?? ""}
        >
          {name}
        </Link>
        <span className={`quiet ${css.about}`}>{said.filter(Boolean).join(" · ")}</span>
      </Lines>
      <ProviderState provider={provider} />
    </>
  );
}
