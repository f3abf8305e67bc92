import { Select } from "@mantine/core";
import type { Audience as AudienceShape } from "@tidings/contract/audience/audiences";
import type { Static } from "typebox";
import { useList } from "../../platform/call/queries.ts";
import { type Form, faultAt } from "../../platform/form/form.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { texts } from "./texts.ts";
import type { DraftValues } from "./values.ts";

/** To whom it goes. */
export function AudienceStep({ form, off }: { form: Form<DraftValues>; off: boolean }) {
  const t = useTexts(texts);
  const { rows } = useList<Pick<Static<typeof AudienceShape>, "id" | "name">>("/audiences", { limit: 200 });
  return (
    <Select
      label={t("audience")}
      description={t("audienceHint")}
      name="audience"
      searchable
      disabled={off}
      value={form.values.audience.audience_id ?? null}
      onChange={(audience_id) => form.set("audience", audience_id ? { audience_id } : {})}
      data={rows.map(({ id, name }) => ({ value: id, label: name }))}
      error={faultAt(form.faults, "audience")}
    />
  );
}
