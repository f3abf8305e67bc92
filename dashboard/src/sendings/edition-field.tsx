import type { Channel } from "@tidings/contract/facts/activity";
import { ContentFields } from "../content/channels/content-fields.tsx";
import { emptyContent } from "../content/channels/content.ts";
import type { LiquidScope } from "../content/liquid/scope.ts";
import { MessageField } from "../inapp/message-field.tsx";
import { useTexts } from "../platform/language/texts.ts";
import { TemplateField } from "../templates/template-field.tsx";
import type { Edition } from "./editions.ts";
import { texts } from "./texts.ts";

interface EditionFieldProps {
  channel: Channel;
  value: Edition;
  onChange: (edition: Edition) => void;
  errorOf: (pointer: string) => string | undefined;
  scope: LiquidScope;
  /** What the form calls it, and a slash. */
  at: string;
  off: boolean;
}

/** What some of the people get: an in-app message, or the fields of their channel's content. */
export function EditionField({ channel, value, onChange, errorOf, scope, at, off }: EditionFieldProps) {
  const t = useTexts(texts);
  if (channel === "in_app")
    return (
      <MessageField
        label={t("message")}
        name={`${at}message_id`}
        disabled={off}
        value={value.message_id ?? ""}
        onChange={(id) => onChange(id ? { message_id: id } : {})}
        error={errorOf("message_id")}
      />
    );
  return (
    <ContentFields
      channel={channel}
      value={value.content ?? emptyContent(channel)}
      onChange={(content) => onChange({ content })}
      errorOf={(field) => errorOf(`content/${field}`)}
      scope={scope}
      at={`${at}content`}
      off={off}
      templateField={(props) => <TemplateField {...props} name={`${at}content/template_id`} />}
      withRecipient
    />
  );
}
