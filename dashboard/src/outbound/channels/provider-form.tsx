import type { PushedChannel } from "@tidings/contract/messages/outbound";
import type { ProviderKind } from "@tidings/contract/messages/providers";
import { NativeSelect, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Read } from "../../platform/call/call.ts";
import { queries, useVersion } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { FormDialog } from "../../platform/form/dialog.tsx";
import { useEdit } from "../../platform/form/edit.ts";
import { type Form, useForm } from "../../platform/form/form.ts";
import { MeanwhileNote } from "../../platform/form/meanwhile.tsx";
import { type Language, useLanguage } from "../../platform/language/language.ts";
import { say } from "../../platform/language/say.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Note } from "../../platform/look/parts.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import css from "./channels.module.css";
import { kindTexts } from "./kind-words.ts";
import { isKind, kindsOf } from "./kinds.ts";
import { ProviderFields } from "./provider-fields.tsx";
import { texts } from "./texts.ts";
import { inputOf, patchOf, type Provider, type ProviderValues, valuesOf } from "./values.ts";

interface NewProps {
  channel: PushedChannel;
  /** How many the channel has: the new one is asked last. */
  count: number;
  onClose: () => void;
  onMade: (made: Provider) => void;
}

export function NewProvider({ channel, count, onClose, onMade }: NewProps) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const kinds = kindsOf(channel);
  const [kind, setKind] = useState<ProviderKind>(kinds[0] as ProviderKind);
  const language = useLanguage();
  const name = kindName(kind, language);
  const form = useForm<ProviderValues>(valuesOf(kind), async (values) => {
    const named = { ...values, name: String(values.name).trim() || name };
    const body = inputOf({ channel, kind, priority: count }, named);
    const made = await open.call<Provider>("POST", "/providers", { body });
    void queries.invalidateQueries({ queryKey: [open.id, "/providers"] });
    onMade(made.body);
  });
  const choose = (next: ProviderKind) => {
    setKind(next);
    // What both kinds have, such as the name, stays.
    form.reset(valuesOf(next), { ...valuesOf(next), name: form.values.name ?? "" });
  };
  return (
    <FormDialog title={t("new", { channel: t(channel) })} form={form} yes={t("create")} size="lg" onClose={onClose}>
      <NativeSelect
        label={t("kind")}
        data-autofocus
        value={kind}
        onChange={(event) => choose(event.currentTarget.value as ProviderKind)}
        data={kinds.map((value) => ({ value, label: kindName(value, language) }))}
      />
      <Rest kind={kind} form={form} kept={false} placeholder={name} />
    </FormDialog>
  );
}

const kindName = (kind: ProviderKind, language: Language): string =>
  say(kindTexts[kind].name as readonly [string, string], language);

interface RestProps {
  kind: ProviderKind;
  form: Form<ProviderValues>;
  kept: boolean;
  placeholder?: string;
  focus?: string | undefined;
}

function Rest({ kind, form, kept, placeholder, focus }: RestProps) {
  const t = useTexts(texts);
  const about = useTexts(kindTexts[kind])("about");
  return (
    <>
      <p className={css.kindAbout}>{about}</p>
      <TextInput label={t("name")} {...(placeholder !== undefined && { placeholder })} {...form.text("name")} />
      <ProviderFields kind={kind} form={form} focus={focus} kept={kept} />
      <TextInput label={t("rate")} description={t("rateHint")} inputMode="decimal" {...form.text("rate_per_second")} />
    </>
  );
}

/** A field that a test found wrong, and why. */
export interface Fault {
  field: string;
  message: string;
}

interface EditProps {
  id: string;
  fault: Fault | undefined;
  onClose: () => void;
}

export function EditProvider({ id, fault, onClose }: EditProps) {
  const read = useVersion<Provider>(`/providers/${id}`);
  if (!read.data || !isKind(read.data.body.kind)) return null;
  return <Editing version={read.data} kind={read.data.body.kind} fault={fault} onClose={onClose} />;
}

interface EditingProps {
  version: Read<Provider>;
  kind: ProviderKind;
  fault: Fault | undefined;
  onClose: () => void;
}

function Editing({ version, kind, fault, onClose }: EditingProps) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const { id, name, has_credentials: kept } = version.body;
  const form = useEdit<Provider, ProviderValues>({
    path: `/providers/${id}`,
    version,
    valuesOf: (provider) => valuesOf(kind, provider),
    bodyOf: (values, typed) => patchOf(kind, values, typed),
    onSaved(saved) {
      void queries.invalidateQueries({ queryKey: [open.id, "/providers"] });
      tell(t("saved", { name: saved.name }));
      onClose();
    },
  });
  const named = useTexts(kindTexts[kind]);
  const labels = Object.fromEntries(
    Object.keys(form.values).map((path) => [path, path in kindTexts[kind] ? named(path) : labelOf(path)]),
  );
  const began = useRef(false);
  useEffect(() => {
    if (began.current || !fault?.field.startsWith("credentials")) return;
    began.current = true;
    form.set("credentials", "replace");
  }, [fault, form]);
  function labelOf(path: string): string {
    return path === "name" ? t("name") : path === "rate_per_second" ? t("rate") : path;
  }
  return (
    <FormDialog
      title={t("editing", { name })}
      form={form}
      yes={t("save")}
      size="lg"
      onClose={onClose}
      {...(form.meanwhile && { problem: <MeanwhileNote form={form} labels={labels} /> })}
    >
      {fault && (
        <Note tone="bad" role="alert">
          {fault.message}
        </Note>
      )}
      <Rest kind={kind} form={form} kept={kept} focus={fault?.field} />
    </FormDialog>
  );
}
