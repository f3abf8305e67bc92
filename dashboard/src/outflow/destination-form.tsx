import type { DestinationKind } from "@tidings/contract/destinations";
import { Checkbox, Group, NativeSelect, PasswordInput, Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Read } from "../platform/call/call.ts";
import { queries, useVersion } from "../platform/call/queries.ts";
import { useWorkspace } from "../platform/call/workspace.ts";
import { Credentials } from "../platform/form/credentials.tsx";
import { FormDialog } from "../platform/form/dialog.tsx";
import { useEdit } from "../platform/form/edit.ts";
import { type Form, useForm } from "../platform/form/form.ts";
import { MeanwhileNote } from "../platform/form/meanwhile.tsx";
import { useTexts } from "../platform/language/texts.ts";
import { tell } from "../platform/states/toasts.tsx";
import {
  type Destination,
  type DestinationValues,
  fieldsOf,
  inputOf,
  kinds,
  patchOf,
  tables,
  valuesOf,
} from "./destination.ts";
import css from "./outflow.module.css";
import { texts } from "./texts.ts";

interface NewProps {
  onClose: () => void;
  onMade: (made: Destination) => void;
}

export function NewDestination({ onClose, onMade }: NewProps) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const [kind, setKind] = useState<DestinationKind>("s3");
  const form = useForm<DestinationValues>(valuesOf(kind), async (values) => {
    if (values.tables.length === 0) throw new Error(t("chooseTable"));
    const named = { ...values, name: values.name.trim() || t(kind) };
    const { body } = await open.call<Destination>("POST", "/export-destinations", { body: inputOf(kind, named) });
    void queries.invalidateQueries({ queryKey: [open.id, "/export-destinations"] });
    tell(t("added", { name: body.name }));
    onMade(body);
  });
  const choose = (next: DestinationKind) => {
    setKind(next);
    // What both kinds have stays.
    const { name, tables: chosen, from, interval_seconds } = form.values;
    form.reset(valuesOf(next), { ...valuesOf(next), name, tables: chosen, from, interval_seconds });
  };
  return (
    <FormDialog title={t("new")} form={form} yes={t("add")} size="lg" onClose={onClose}>
      <NativeSelect
        label={t("kind")}
        data-autofocus
        value={kind}
        onChange={(event) => choose(event.currentTarget.value as DestinationKind)}
        data={kinds.map((value) => ({ value, label: t(value) }))}
      />
      <Fields kind={kind} form={form} kept={false} placeholder={t(kind)} />
      <Checkbox.Group
        label={t("tables")}
        value={form.values.tables}
        onChange={(chosen) => form.set("tables", chosen)}
        error={form.errorOf("tables")}
      >
        <Group gap="lg" mt="xs">
          {tables.map((table) => (
            <Checkbox key={table} value={table} label={t(table)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Radio.Group label={t("from")} value={form.values.from} onChange={(value) => form.set("from", value)}>
        <Stack gap={8} mt="xs">
          <Radio value="now" label={t("fromNow")} />
          <Radio value="beginning" label={t("fromBeginning")} />
        </Stack>
      </Radio.Group>
      <Interval form={form} kind={kind} />
    </FormDialog>
  );
}

export function EditDestination({ id, onClose }: { id: string; onClose: () => void }) {
  const read = useVersion<Destination>(`/export-destinations/${id}`);
  return read.data ? <Editing version={read.data} onClose={onClose} /> : null;
}

function Editing({ version, onClose }: { version: Read<Destination>; onClose: () => void }) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const { id, kind, name } = version.body;
  const form = useEdit<Destination, DestinationValues>({
    path: `/export-destinations/${id}`,
    version,
    valuesOf: (destination) => valuesOf(kind, destination),
    bodyOf: patchOf,
    onSaved() {
      void queries.invalidateQueries({ queryKey: [open.id, "/export-destinations"] });
      tell(t("saved"));
      onClose();
    },
  });
  const labels = Object.fromEntries(
    Object.keys(form.values).map((field) => [field, t((field === "interval_seconds" ? "interval" : field) as "name")]),
  );
  return (
    <FormDialog
      title={t("editing", { name })}
      form={form}
      yes={t("save")}
      size="lg"
      onClose={onClose}
      {...(form.meanwhile && { problem: <MeanwhileNote form={form} labels={labels} /> })}
    >
      <Fields kind={kind} form={form} kept />
      <Interval form={form} kind={kind} />
    </FormDialog>
  );
}

interface FieldsProps {
  kind: DestinationKind;
  form: Form<DestinationValues>;
  /** Whether it has credentials, which may stay. */
  kept: boolean;
  placeholder?: string;
}

function Fields({ kind, form, kept, placeholder }: FieldsProps) {
  const t = useTexts(texts);
  return (
    <>
      <p className={css.about}>{t(`${kind}About`)}</p>
      <TextInput label={t("name")} {...(placeholder !== undefined && { placeholder })} {...form.text("name")} />
      {Object.entries(fieldsOf[kind].settings).map(([name, how]) => (
        <Setting key={name} name={`settings/${name}`} how={how} form={form} />
      ))}
      <Credentials form={form} kept={kept}>
        {fieldsOf[kind].credentials.map((name) => (
          <PasswordInput
            key={name}
            label={t(`credentials/${name}` as "credentials/password")}
            autoComplete="off"
            {...form.text(`credentials/${name}`)}
          />
        ))}
      </Credentials>
    </>
  );
}

const PLACEHOLDERS: Record<string, string> = {
  "settings/bucket": "acme-warehouse",
  "settings/region": "eu-central-1",
  "settings/endpoint": "https://s3.eu-central-1.amazonaws.com",
  "settings/prefix": "tidings",
  "settings/url": "https://clickhouse.example.com:8443",
  "settings/database": "tidings",
  "settings/user": "tidings",
};

function Setting({ name, how, form }: { name: string; how: string; form: Form<DestinationValues> }) {
  const t = useTexts(texts);
  const label = t(name as "settings/bucket");
  if (how === "choice")
    return (
      <NativeSelect
        label={label}
        {...form.text(name)}
        data={[
          { value: "", label: t("ndjson") },
          { value: "parquet", label: "Parquet" },
        ]}
      />
    );
  return (
    <TextInput
      label={how === "optional" ? `${label} (${t("optional")})` : label}
      placeholder={PLACEHOLDERS[name] ?? ""}
      spellCheck={false}
      {...form.text(name)}
    />
  );
}

const Interval = ({ form, kind }: { form: Form<DestinationValues>; kind: DestinationKind }) => {
  const t = useTexts(texts);
  return (
    <TextInput
      label={t("intervalField")}
      description={t("intervalHint")}
      inputMode="numeric"
      placeholder={kind === "s3" ? "60" : "10"}
      {...form.text("interval_seconds")}
    />
  );
};
