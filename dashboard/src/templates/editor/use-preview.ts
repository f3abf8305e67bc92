import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { EmailTemplateTextsPreview } from "@tidings/contract/messages/templates";
import { useState } from "react";
import type { Static } from "typebox";
import { patient } from "../../platform/call/queries.ts";
import { Refusal } from "../../platform/call/refusal.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";

export type Preview = Static<typeof EmailTemplateTextsPreview>;
/** Whom the preview is for, and what a call would carry, as JSON that somebody may be in the middle of writing. */
export interface PreviewFor {
  person: string;
  data: string;
}

/** What the service found wrong with the texts. */
export interface TextFault {
  /** The text: `body`, `subject`, `layout`, `snippet footer`. */
  part: string;
  line: number | undefined;
  message: string;
  /** Of another template that a change would break. */
  templateId: string | undefined;
}

/** Long enough for a word, so that each key is not compiled. */
const PAUSE_MS = 350;
/** A preview is large, and nobody goes back to an older one. */
const KEPT_MS = 5_000;

/** Reads the data that somebody wrote; undefined while it is no JSON object. */
export function dataOf(text: string): Record<string, unknown> | undefined {
  if (text.trim() === "") return {};
  try {
    const data: unknown = JSON.parse(text);
    return data !== null && typeof data === "object" && !Array.isArray(data)
      ? (data as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The preview of texts while they are written. The last one that could be made stays until there is a newer one. */
export function usePreview(texts: Record<string, unknown>, { person, data }: PreviewFor) {
  const { id, call } = useWorkspace();
  const given = dataOf(data);
  const [body] = useDebouncedValue(
    JSON.stringify({ ...texts, ...(person && { person_id: person }), ...(given && { message_data: given }) }),
    PAUSE_MS,
  );
  const asked = useQuery({
    queryKey: [id, "/email-templates/preview-texts", body],
    queryFn: async ({ signal }) =>
      (await call<Preview>("POST", "/email-templates/preview-texts", { body: JSON.parse(body), signal })).body,
    ...patient,
    placeholderData: keepPreviousData,
    gcTime: KEPT_MS,
    staleTime: Number.POSITIVE_INFINITY,
  });
  // A refusal has no data, not even those of the question before.
  const [made, setMade] = useState(asked.data);
  if (asked.data && asked.data !== made) setMade(asked.data);
  return { preview: asked.data ?? made, asked, error: asked.error, fault: faultOf(asked.error) };
}

/** Reads what a refusal says about the place of a fault. */
export function faultOf(error: unknown): TextFault | undefined {
  if (!(error instanceof Refusal) || error.code !== "template_error") return undefined;
  const { part, line, template_id: templateId, errors } = error.body;
  return {
    part: typeof part === "string" ? part : "body",
    line: typeof line === "number" ? line : undefined,
    message: errors?.[0]?.message ?? error.message,
    templateId: typeof templateId === "string" ? templateId : undefined,
  };
}
