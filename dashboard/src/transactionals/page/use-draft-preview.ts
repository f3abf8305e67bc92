import type { DraftPreview } from "@tidings/contract/messages/transactionals";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDebouncedValue } from "@mantine/hooks";
import type { Static } from "typebox";
import type { Content } from "../../content/channels/content.ts";
import { patient } from "../../platform/call/queries.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import type { TransactionalChannel } from "../search.ts";

interface Draft {
  channel: TransactionalChannel;
  content: Content;
  person: string;
  data: Record<string, unknown> | undefined;
}

/** A render is not asked for at each key. */
const PAUSE_MS = 400;

/** Renders what is being written, for a person and with data, and tells what it reads. Until there is something to render, does nothing. */
export function useDraftPreview(draft: Draft) {
  const { id, call } = useWorkspace();
  const [text] = useDebouncedValue(JSON.stringify(draft), PAUSE_MS);
  const { channel, content, person, data = {} }: Draft = JSON.parse(text);
  const whole =
    content.template_id !== undefined
      ? content.template_id !== ""
      : ({ email: ["subject", "body"], push: ["title", "message"], sms: ["body"] } as const)[channel].every(
          (field) => content[field],
        );
  const body = { channel, content, message_data: data, ...(person && { person_id: person }) };
  const read = useQuery({
    queryKey: [id, "/transactionals/draft-preview", body],
    queryFn: async ({ signal }) =>
      (await call<Static<typeof DraftPreview>>("POST", "/transactionals/draft-preview", { body, signal })).body,
    enabled: whole,
    placeholderData: keepPreviousData,
    ...patient,
  });
  return { ...read, whole };
}
