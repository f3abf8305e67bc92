import { Stack } from "@mantine/core";
import { ImageField } from "../../media/image-field.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { LiquidField } from "../liquid/liquid-field.tsx";
import { textIn } from "./content.ts";
import { EmailFields } from "./email-fields.tsx";
import { type ContentFieldsProps, fieldOf } from "./fields.ts";
import { SmsCount } from "./sms-count.tsx";
import { texts } from "./texts.ts";

/** The fields of what a message says, as its channel has them. */
export function ContentFields(props: ContentFieldsProps) {
  if (props.channel === "email") return <EmailFields {...props} />;
  return props.channel === "push" ? <PushFields {...props} /> : <SmsFields {...props} />;
}

function PushFields(props: ContentFieldsProps) {
  const t = useTexts(texts);
  const field = fieldOf(props);
  const image = field("image_url");
  return (
    <Stack gap="md">
      <LiquidField label={t("title")} maxLength={1_000} {...field("title")} />
      <LiquidField label={t("message")} lines={3} maxLength={4_000} {...field("message")} />
      <ImageField
        label={t("image")}
        description={t("imageHint")}
        disabled={image.readOnly ?? false}
        value={image.value}
        onChange={image.onChange}
        error={image.error}
        field={(address) => <LiquidField {...image} {...address} maxLength={2_000} />}
      />
      <LiquidField label={t("link")} description={t("linkHint")} maxLength={2_000} {...field("link")} />
    </Stack>
  );
}

function SmsFields(props: ContentFieldsProps) {
  const t = useTexts(texts);
  const field = fieldOf(props);
  return (
    <Stack gap="md">
      <div>
        <LiquidField label={t("text")} lines={4} maxLength={4_000} {...field("body")} />
        <SmsCount text={textIn(props.value, "body")} />
      </div>
      {props.withRecipient && (
        <LiquidField label={t("to")} description={t("toHint")} maxLength={200} {...field("to")} />
      )}
    </Stack>
  );
}
