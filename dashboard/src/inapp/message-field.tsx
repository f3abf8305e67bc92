import { Anchor, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useRead } from "../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../platform/call/workspace.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Lines } from "../platform/look/parts.tsx";
import { drawn, type ListedMessage, type Message, pathOf, renderTypeTexts } from "./message.ts";
import css from "./message-field.module.css";
import { InAppPreview } from "./preview/in-app-preview.tsx";
import { texts as own } from "./texts.ts";

interface MessageFieldProps {
  label: string;
  description?: string;
  /** The id of a message; empty where none is chosen. */
  value: string;
  onChange: (id: string) => void;
  error?: string | undefined;
  /** The name of the field, for the errors of the service. */
  name?: string;
  disabled?: boolean;
  /** Whether the chosen message is drawn below the field, with ways to change it and to make another. */
  detailed?: boolean;
}

/** How long nothing must be typed before messages are searched, and how many are offered. */
const [PAUSE_MS, OFFERED] = [200, 20];
const texts = { ...own, ...renderTypeTexts };

/** Chooses an in-app message by its name, its title or the beginning of its id. */
export function MessageField({ value, onChange, detailed = true, error, ...field }: MessageFieldProps) {
  const t = useTexts(texts);
  const chosen = useRead<Message>(pathOf(value), {}, { enabled: value !== "" });
  const message = value === "" ? undefined : chosen.data;
  const [typed, setTyped] = useState("");
  const [sought] = useDebouncedValue(typed.trim(), PAUSE_MS);
  // While nothing is typed the field shows the name of the chosen one, which is no search.
  const q = sought === message?.name ? "" : sought;
  const found = useRead<{ data: ListedMessage[] }>(
    "/in-app-messages",
    { limit: OFFERED, ...(q && { q }) },
    { keep: true },
  );
  const offered = new Map(
    [...(message ? [message] : []), ...(found.data?.data ?? [])].map((one) => [one.id, one] as const),
  );
  return (
    <div className={css.field}>
      <Select
        {...field}
        error={error ?? (value !== "" && chosen.error?.message)}
        searchable
        clearable
        clearButtonProps={{ "aria-label": t("noMessage") }}
        nothingFoundMessage={found.isFetching ? t("searching") : t("noMessages")}
        placeholder={t("seekMessage")}
        value={value || null}
        onChange={(id) => onChange(id ?? "")}
        onSearchChange={setTyped}
        data={[...offered.values()].map(({ id, name }) => ({ value: id, label: name }))}
        // The service has searched already.
        filter={({ options }) => options}
        renderOption={({ option }) => (
          <Lines>
            <span className="cut">{option.label}</span>
            <span className="cut quiet">{about(offered.get(option.value), t)}</span>
          </Lines>
        )}
      />
      {detailed && <Detail message={message} off={field.disabled ?? false} />}
    </div>
  );
}

const about = (of: ListedMessage | undefined, t: ReturnType<typeof useTexts<typeof texts>>): string =>
  of ? [t(of.render_type), of.title].filter(Boolean).join(" · ") : "";

function Detail({ message, off }: { message: Message | undefined; off: boolean }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const link = (id: string, text: string) => (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link
          to="/w/$workspace/in-app-messages/$id"
          params={{ workspace: open.id, id }}
          // What is typed here stays.
          target="_blank"
          {...props}
        />
      )}
    >
      {text}
    </Anchor>
  );
  return (
    <>
      <span className={css.links}>
        {message && link(message.id, t(mayEdit(open) && !off ? "editMessage" : "openMessage"))}
        {mayEdit(open) && !off && link("new", t("newMessage"))}
      </span>
      {message && (
        <div className={css.picture}>
          <InAppPreview message={drawn(message)} device="phone" dark={false} />
        </div>
      )}
    </>
  );
}
