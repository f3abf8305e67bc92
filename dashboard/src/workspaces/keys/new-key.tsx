import type { ApiKeyCreated, KeyScope } from "@tidings/contract/workspaces";
import { Checkbox, NativeSelect, SegmentedControl, Stack, TextInput } from "@mantine/core";
import type { Static } from "typebox";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { FormDialog } from "../../platform/form/dialog.tsx";
import { useForm } from "../../platform/form/form.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { texts } from "./texts.ts";

const scopes: KeyScope[] = ["read", "send", "ingest", "author", "admin"];
const expiries = { never: undefined, in30: 30, in90: 90, in365: 365 } as const;
const DAY_MS = 86_400_000;

export function NewKey({ onClose, onMade }: { onClose: () => void; onMade: (key: string) => void }) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const form = useForm(
    { kind: "secret", name: "", scopes: [] as string[], expiry: "never" as keyof typeof expiries },
    async ({ kind, name, scopes: chosen, expiry }) => {
      const days = expiries[expiry];
      const body = {
        kind,
        ...(name && { name }),
        ...(kind === "secret" && chosen.length > 0 && { scopes: chosen }),
        ...(days && { expires_at: new Date(Date.now() + days * DAY_MS).toISOString() }),
      };
      onMade((await call<Static<typeof ApiKeyCreated>>("POST", "/api-keys", { body })).body.key);
    },
  );
  return (
    <FormDialog title={t("newKey")} form={form} yes={t("make")} onClose={onClose}>
      <SegmentedControl
        aria-label={t("kind")}
        value={form.values.kind}
        onChange={(value) => form.set("kind", value)}
        data={[
          { value: "secret", label: t("secret") },
          { value: "public", label: t("public") },
        ]}
      />
      <TextInput label={t("name")} description={t("nameHint")} data-autofocus {...form.text("name")} />
      {form.values.kind === "secret" && (
        <Checkbox.Group
          label={t("scopes")}
          description={t("scopesHint")}
          value={form.values.scopes}
          onChange={(value) => form.set("scopes", value)}
          error={form.errorOf("scopes")}
        >
          <Stack gap={8} mt="xs">
            {scopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} description={t(`scope_${scope}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <NativeSelect
        label={t("expiry")}
        value={form.values.expiry}
        onChange={(event) => form.set("expiry", event.currentTarget.value as keyof typeof expiries)}
        data={Object.keys(expiries).map((value) => ({ value, label: t(value as keyof typeof expiries) }))}
      />
    </FormDialog>
  );
}
