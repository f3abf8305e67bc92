import type { OidcInput, Role } from "@tidings/contract/members";
import { NativeSelect, Switch, TagsInput, TextInput } from "@mantine/core";
import type { Read } from "../../platform/call/call.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { FormDialog } from "../../platform/form/dialog.tsx";
import { useEdit } from "../../platform/form/edit.ts";
import { type Form, useForm } from "../../platform/form/form.ts";
import { MeanwhileNote } from "../../platform/form/meanwhile.tsx";
import { Password } from "../../platform/form/password.tsx";
import { type Say, useTexts } from "../../platform/language/texts.ts";
import { Facts } from "../../platform/look/parts.tsx";
import { Copy } from "../../platform/states/copy.tsx";
import { tell } from "../../platform/states/toasts.tsx";
import { PATH, type Provider } from "./provider.tsx";
import { texts } from "./texts.ts";

const EXAMPLE = "https://login.example.com";
const roles = ["owner", "editor", "viewer"] as const;

const valuesOf = ({
  issuer,
  client_id,
  role_mapping: mapping,
}: Pick<Provider, "issuer" | "client_id" | "role_mapping">) => ({
  issuer,
  client_id,
  client_secret: "",
  role_mapping: mapping !== null,
  "role_mapping/claim": mapping?.claim ?? "groups",
  "role_mapping/roles/owner": mapping?.roles.owner ?? [],
  "role_mapping/roles/editor": mapping?.roles.editor ?? [],
  "role_mapping/roles/viewer": mapping?.roles.viewer ?? [],
  "role_mapping/otherwise": mapping?.otherwise ?? "",
});
type ProviderValues = ReturnType<typeof valuesOf>;

function bodyOf(values: ProviderValues): OidcInput {
  const { issuer, client_id, client_secret, role_mapping } = values;
  const mapping = {
    claim: values["role_mapping/claim"],
    roles: Object.fromEntries(roles.map((role) => [role, values[`role_mapping/roles/${role}`]])),
    otherwise: (values["role_mapping/otherwise"] || null) as Role | null,
  };
  return { issuer, client_id, ...(client_secret && { client_secret }), role_mapping: role_mapping ? mapping : null };
}

const labelsOf = (t: Say<typeof texts>) => ({
  issuer: t("issuer"),
  client_id: t("clientId"),
  role_mapping: t("mapping"),
  "role_mapping/claim": t("claim"),
  "role_mapping/roles/owner": t("owner"),
  "role_mapping/roles/editor": t("editor"),
  "role_mapping/roles/viewer": t("viewer"),
  "role_mapping/otherwise": t("otherwise"),
});

export function SetUpProvider({ onClose, onSaved }: { onClose: () => void; onSaved: () => void }) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const form = useForm(valuesOf({ issuer: "", client_id: "", role_mapping: null }), async (values) => {
    await call("PUT", PATH, { body: bodyOf(values) });
    tell(t("saved"));
    onSaved();
    onClose();
  });
  return (
    <FormDialog title={t("title")} form={form} yes={t("save")} size="lg" onClose={onClose}>
      <Fields form={form} redirectUri={`${window.location.origin}/api/v1/oidc/callback`} />
    </FormDialog>
  );
}

export function EditProvider({ version, onClose }: { version: Read<Provider>; onClose: () => void }) {
  const t = useTexts(texts);
  const form = useEdit({
    path: PATH,
    method: "PUT",
    version,
    valuesOf,
    bodyOf,
    onSaved: () => {
      tell(t("saved"));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t("title")}
      form={form}
      yes={t("save")}
      size="lg"
      onClose={onClose}
      problem={form.meanwhile && <MeanwhileNote form={form} labels={labelsOf(t)} />}
    >
      <Fields form={form} redirectUri={version.body.redirect_uri} secretStays />
    </FormDialog>
  );
}

interface FieldsProps {
  form: Form<ProviderValues>;
  redirectUri: string;
  secretStays?: boolean;
}

function Fields({ form, redirectUri, secretStays = false }: FieldsProps) {
  const t = useTexts(texts);
  return (
    <>
      <p>{t("atProvider")}</p>
      <Facts
        of={[
          [
            t("redirectUri"),
            <>
              <code>{redirectUri}</code>
              <Copy value={redirectUri} what={t("redirectUri")} />
            </>,
          ],
        ]}
      />
      <TextInput
        label={t("issuer")}
        description={t("issuerHint")}
        placeholder={EXAMPLE}
        data-autofocus
        {...form.text("issuer")}
      />
      <TextInput label={t("clientId")} autoComplete="off" {...form.text("client_id")} />
      <Password
        label={t("clientSecret")}
        description={secretStays ? t("secretStays") : undefined}
        required={!secretStays}
        autoComplete="off"
        {...form.text("client_secret")}
      />
      <Switch
        label={t("mapping")}
        description={t(form.values.role_mapping ? "mappingOn" : "mappingOff")}
        checked={form.values.role_mapping}
        onChange={(event) => form.set("role_mapping", event.currentTarget.checked)}
      />
      {form.values.role_mapping && <Mapping form={form} />}
    </>
  );
}

function Mapping({ form }: { form: Form<ProviderValues> }) {
  const t = useTexts(texts);
  const otherwise = form.values["role_mapping/otherwise"];
  return (
    <>
      <TextInput label={t("claim")} description={t("claimHint")} {...form.text("role_mapping/claim")} />
      {roles.map((role) => (
        <TagsInput
          key={role}
          label={t(role)}
          placeholder={t("valuesHint")}
          value={form.values[`role_mapping/roles/${role}`]}
          onChange={(values) => form.set(`role_mapping/roles/${role}`, values)}
          error={form.errorOf(`role_mapping/roles/${role}`)}
        />
      ))}
      <NativeSelect
        label={t("otherwise")}
        value={otherwise}
        onChange={(event) => form.set("role_mapping/otherwise", event.currentTarget.value as typeof otherwise)}
        error={form.errorOf("role_mapping/otherwise")}
        data={[
          { value: "", label: t("nobody") },
          { value: "viewer", label: t("asViewer") },
          { value: "editor", label: t("asEditor") },
          { value: "owner", label: t("asOwner") },
        ]}
      />
    </>
  );
}
