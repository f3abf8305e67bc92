import type { ApiKeyRolled } from "@tidings/contract/workspaces";
import { NativeSelect } from "@mantine/core";
import type { Static } from "typebox";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { FormDialog } from "../../platform/form/dialog.tsx";
import { useForm } from "../../platform/form/form.ts";
import { useTexts } from "../../platform/language/texts.ts";
import type { ApiKey } from "./keys.tsx";
import { texts } from "./texts.ts";

const overlaps = {
  atOnce: null,
  hour: { amount: 1, unit: "hours" },
  day: { amount: 24, unit: "hours" },
  week: { amount: 7, unit: "days" },
} as const;
type Overlap = keyof typeof overlaps;

interface RollKeyProps {
  apiKey: ApiKey;
  onClose: () => void;
  onMade: (key: string) => void;
}

/** Replaces a key. The old one works for some time longer, until all its users have the new one. */
export function RollKey({ apiKey, onClose, onMade }: RollKeyProps) {
  const t = useTexts(texts);
  const { call } = useWorkspace();
  const form = useForm({ overlap: "day" as Overlap }, async ({ overlap }) => {
    const body = { overlap: overlaps[overlap] };
    const options = { body, headers: { "if-match": apiKey.etag } };
    onMade((await call<Static<typeof ApiKeyRolled>>("POST", `/api-keys/${apiKey.id}/roll`, options)).body.key);
  });
  const { overlap } = form.values;
  return (
    <FormDialog
      title={`${t("roll")}: ${apiKey.name}`}
      form={form}
      yes={t("roll")}
      bad={overlap === "atOnce"}
      onClose={onClose}
    >
      <p>{t("rollSure")}</p>
      <NativeSelect
        label={t("overlap")}
        data-autofocus
        value={overlap}
        onChange={(event) => form.set("overlap", event.currentTarget.value as Overlap)}
        error={form.errorOf("overlap")}
        data={Object.keys(overlaps).map((value) => ({ value, label: t(value as Overlap) }))}
      />
      {overlap === "atOnce" && <p>{t("atOnceSure")}</p>}
    </FormDialog>
  );
}
