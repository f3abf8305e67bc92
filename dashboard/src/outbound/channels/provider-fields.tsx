import type { ProviderKind } from "@tidings/contract/messages/providers";
import { NativeSelect, PasswordInput, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { Credentials } from "../../platform/form/credentials.tsx";
import type { Form } from "../../platform/form/form.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Disclosure } from "../../platform/look/disclosure.tsx";
import css from "./channels.module.css";
import { kindTexts } from "./kind-words.ts";
import { type Field, formOf, type Spec } from "./kinds.ts";
import { texts } from "./texts.ts";
import { leavesOf, type ProviderValues } from "./values.ts";

interface FieldsProps {
  kind: ProviderKind;
  form: Form<ProviderValues>;
  /** The field that gets the focus when the form opens. */
  focus?: string | undefined;
}

/** The settings and the credentials of a kind. Those that most leave alone are folded in. */
export function ProviderFields({ kind, form, focus, kept }: FieldsProps & { kept: boolean }) {
  const t = useTexts(texts);
  const { settings, credentials } = formOf(kind);
  const own = leavesOf(settings, "settings").filter(([path]) => path.split("/").length === 2);
  const secrets = leavesOf(credentials, "credentials");
  const usual = own.filter(([, , { advanced }]) => !advanced);
  const further = own.filter(([, , { advanced }]) => advanced);
  const furtherSecrets = secrets.filter(([, , { advanced }]) => advanced);
  const groups = Object.entries(settings).filter(([, { type }]) => type === "group");
  const replaces = form.values.credentials === "replace";
  const folded = further.length + groups.length > 0;
  const wrong = [...further, ...furtherSecrets].some(([path]) => form.errorOf(path) !== undefined);
  const one = ([path, field, spec]: [string, Field, Spec]) => (
    <ProviderField key={path} kind={kind} form={form} path={path} field={field} spec={spec} focus={focus} />
  );
  return (
    <>
      {usual.map(one)}
      {secrets.length > 0 && (
        <Credentials form={form} kept={kept}>
          {secrets.filter(([, , { advanced }]) => !advanced).map(one)}
        </Credentials>
      )}
      {folded && (
        <Disclosure title={t("advanced")} open={wrong || further.some(([path]) => path === focus) || undefined}>
          <Stack gap="sm">
            {further.map(one)}
            {replaces && furtherSecrets.filter(([path]) => !path.includes("bounce")).map(one)}
            {groups.map(([name, spec]) => (
              <GroupFields key={name} kind={kind} form={form} name={name} spec={spec} />
            ))}
          </Stack>
        </Disclosure>
      )}
    </>
  );
}

/** Settings that are given together, behind a switch. */
function GroupFields({ kind, form, name, spec }: FieldsProps & { name: string; spec: Spec }) {
  const t = useTexts(kindTexts[kind]);
  const path = `settings/${name}`;
  const on = form.values[path] === true;
  const fields = leavesOf({ [name]: spec }, "settings");
  const secrets = leavesOf(formOf(kind).credentials, "credentials").filter(([one]) => one.includes("bounce"));
  return (
    <>
      <Switch
        label={t(path)}
        description={t(`${path}?`)}
        checked={on}
        onChange={(event) => form.set(path, event.currentTarget.checked)}
        error={form.errorOf(path)}
      />
      {on && (
        <Stack gap="sm" className={css.group ?? ""}>
          {[...fields, ...(form.values.credentials === "replace" ? secrets : [])].map(([inner, field, one]) => (
            <ProviderField key={inner} kind={kind} form={form} path={inner} field={field} spec={one} />
          ))}
        </Stack>
      )}
    </>
  );
}

interface FieldProps extends FieldsProps {
  path: string;
  field: Field;
  spec: Spec;
}

function ProviderField({ kind, form, path, field, spec, focus }: FieldProps) {
  const t = useTexts(kindTexts[kind]);
  const say = useTexts(texts);
  const optional = spec.optional && field.type !== "switch" && field.type !== "tri" && field.type !== "choice";
  const label = optional ? `${t(path)} (${say("optional")})` : t(path);
  const hint = `${path}?` in kindTexts[kind] ? t(`${path}?`) : undefined;
  const about = {
    label,
    ...(hint !== undefined && { description: hint }),
    ...(focus === path && { "data-autofocus": true }),
  };
  const written = { ...about, ...form.text(path) };
  if (field.type === "switch")
    return (
      <Switch
        {...about}
        name={path}
        checked={form.values[path] === true}
        onChange={(event) => form.set(path, event.currentTarget.checked)}
        error={form.errorOf(path)}
      />
    );
  if (field.type === "tri" || field.type === "choice") {
    const data =
      field.type === "tri"
        ? [
            { value: "true", label: say("no") },
            { value: "false", label: say("yes") },
          ]
        : field.values.map((value) => ({ value, label: t(`${path}=${value}`) }));
    return <NativeSelect {...written} data={[{ value: "", label: say("asDefault") }, ...data]} />;
  }
  if (field.type === "secret") return <PasswordInput {...written} autoComplete="off" />;
  if (field.type === "key" || field.type === "headers")
    return (
      <Textarea
        {...written}
        autosize
        minRows={3}
        maxRows={8}
        spellCheck={false}
        classNames={{ input: css.code ?? "" }}
      />
    );
  if (field.type === "number") return <TextInput {...written} inputMode="numeric" placeholder={field.placeholder} />;
  return (
    <TextInput
      {...written}
      {...(field.placeholder !== undefined && { placeholder: field.placeholder })}
      spellCheck={false}
    />
  );
}
