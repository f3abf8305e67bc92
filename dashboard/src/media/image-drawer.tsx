import { Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { Ask } from "../platform/ask.tsx";
import type { Read } from "../platform/call/call.ts";
import { queries, useVersion } from "../platform/call/queries.ts";
import { mayEdit, useWorkspace } from "../platform/call/workspace.ts";
import { AsCall } from "../platform/code/as-call.tsx";
import { useEdit } from "../platform/form/edit.ts";
import { MeanwhileNote } from "../platform/form/meanwhile.tsx";
import { FormProblem, UnsavedGuard, unsavedTexts } from "../platform/form/parts.tsx";
import { useFormat } from "../platform/language/format.ts";
import { useTexts } from "../platform/language/texts.ts";
import { Facts, Note } from "../platform/look/parts.tsx";
import { SideDrawer, SideDrawerHead } from "../platform/look/side-drawer.tsx";
import { Copy } from "../platform/states/copy.tsx";
import { Answer, Loading } from "../platform/states/states.tsx";
import { tell } from "../platform/states/toasts.tsx";
import { Picture } from "./grid.tsx";
import css from "./media.module.css";
import { texts } from "./texts.ts";
import type { Image } from "./uploads.ts";
import { UsedBy } from "./used-by.tsx";
import { weightOf } from "./weight.ts";

/** One image beside the grid: large, with its addresses, its name and its description. */
export function ImageDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const t = useTexts({ ...texts, ...unsavedTexts });
  const [dirty, setDirty] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const close = () => (dirty ? setLeaving(true) : onClose());
  return (
    <SideDrawer opened={id !== undefined} label={t("image")} onClose={close} size={520}>
      {id && <Opened key={id} id={id} onClose={close} onGone={onClose} onDirty={setDirty} />}
      {leaving && (
        <Ask
          title={t("unsaved")}
          yes={t("leave")}
          onYes={async () => {
            setDirty(false);
            onClose();
          }}
          onClose={() => setLeaving(false)}
        >
          {t("unsavedBody")}
        </Ask>
      )}
    </SideDrawer>
  );
}

interface Ways {
  /** The image was removed. */
  onGone: () => void;
  /** Whether something is typed that is not saved. */
  onDirty: (dirty: boolean) => void;
}

function Opened({ id, onClose, ...ways }: Ways & { id: string; onClose: () => void }) {
  const read = useVersion<Image>(`/media/${encodeURIComponent(id)}`);
  return (
    <>
      <SideDrawerHead title={read.data?.body.name} onClose={onClose} />
      <Answer of={read} loading={<Loading rows={8} />}>
        {(version) => <Detail version={version} {...ways} />}
      </Answer>
    </>
  );
}

function Detail({ version, ...ways }: Ways & { version: Read<Image> }) {
  const t = useTexts(texts);
  const format = useFormat();
  const { body: image } = version;
  const html = `<img src="${image.url}" width="${image.width}" height="${image.height}" alt="${escaped(image.alt ?? "")}">`;
  return (
    <Stack gap="md">
      <div className={css.large}>
        <Picture file={image.file} alt={image.alt ?? ""} />
      </div>
      <Facts
        of={[
          [t("address"), <Copied key="url" value={image.url} what={t("address")} />],
          [t("html"), <Copied key="html" value={html} what={t("html")} />],
          [t("size"), `${format.number(image.width)} × ${format.number(image.height)}`],
          [
            t("kind"),
            [image.kind.toUpperCase(), image.frames > 1 && t("animated", { n: image.frames })]
              .filter(Boolean)
              .join(" · "),
          ],
          [t("weight"), weightOf(image.bytes, format)],
          [t("uploaded"), format.instant(image.created_at)],
        ]}
      />
      <ImageForm version={version} {...ways} />
      <UsedBy id={image.id} />
    </Stack>
  );
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

const Copied = ({ value, what }: { value: string; what: string }) => (
  <span className={css.copied}>
    <code className="cut">{value}</code>
    <Copy value={value} what={what} />
  </span>
);

const bodyOf = (values: { name: string; alt: string }, typed = Object.keys(values) as (keyof typeof values)[]) =>
  Object.fromEntries(typed.map((field) => [field, field === "alt" ? values.alt || null : values[field]]));

function ImageForm({ version, onGone, onDirty }: Ways & { version: Read<Image> }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const { id, name } = version.body;
  const [asking, setAsking] = useState(false);
  const path = `/media/${encodeURIComponent(id)}`;
  const off = !mayEdit(open);
  const again = () => void queries.invalidateQueries({ queryKey: [open.id, "/media"] });
  const form = useEdit({
    path,
    version,
    valuesOf: (image: Image) => ({ name: image.name, alt: image.alt ?? "" }),
    bodyOf,
    onSaved: () => {
      again();
      tell(t("saved"));
    },
  });
  const { dirty } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only whether something is typed matters
  useEffect(() => {
    onDirty(dirty);
    return () => onDirty(false);
  }, [dirty]);
  const remove = async () => {
    await open.call("DELETE", path);
    tell(t("removed"));
    onGone();
    again();
  };
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="md">
        {off && <Note tone="warn">{t("mayNot")}</Note>}
        <TextInput label={t("name")} disabled={off} maxLength={200} {...form.text("name")} />
        <Textarea
          label={t("alt")}
          description={t("altHint")}
          disabled={off}
          maxLength={500}
          autosize
          minRows={2}
          {...form.text("alt")}
        />
        <MeanwhileNote form={form} labels={{ name: t("name"), alt: t("alt") }} />
        {!form.meanwhile && <FormProblem problem={form.problem} />}
        {!off && (
          <Group justify="space-between">
            <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
              {t("remove")}
            </Button>
            <Button type="submit" loading={form.busy} disabled={!form.dirty}>
              {t("save")}
            </Button>
          </Group>
        )}
      </Stack>
      <AsCall
        of={
          form.dirty
            ? { method: "PATCH", path: `/api/v1${path}`, node: "media.update", ids: [id], body: bodyOf(form.values) }
            : { method: "GET", path: `/api/v1${path}`, node: "media.get", ids: [id] }
        }
      />
      <UnsavedGuard dirty={form.dirty && !form.busy} />
      {asking && (
        <Ask
          title={t("removeTitle", { name })}
          yes={t("removeYes")}
          bad
          onYes={remove}
          onClose={() => setAsking(false)}
        >
          {t("removeSure")}
        </Ask>
      )}
    </form>
  );
}
