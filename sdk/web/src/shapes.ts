// What the service answers to an application, written from the contract by `npx vitest run sdk/web/test/shapes-text.test.ts -u`.
// Do not edit.

/** A button of a message. */
export interface Cta {
  id: string;
  label: string;
  action: "deep_link" | "dismiss" | "custom";
  /** The address of a deep link, or the custom payload. */
  value?: string;
}

/** A message that may be shown to this person on this screen now. */
export interface Message {
  delivery_id: string;
  message_id: string;
  render_type: "modal" | "banner" | "inline" | "inbox_card";
  priority: number;
  content: { title: string | null; body: string; image_url: string | null };
  ctas: Cta[];
  expires_at: string | null;
  persistence: { mode: "one_time" | "persistent_until_dismissed"; max_impressions_total?: number; min_interval_seconds?: number };
}

/** A card of the inbox. */
export interface InboxItem {
  delivery_id: string;
  message_id: string;
  render_type: "modal" | "banner" | "inline" | "inbox_card";
  priority: number;
  content: { title: string | null; body: string; image_url: string | null };
  ctas: Cta[];
  expires_at: string | null;
  persistence: { mode: "one_time" | "persistent_until_dismissed"; max_impressions_total?: number; min_interval_seconds?: number };
  read_at: string | null;
}

/** A page of the inbox. */
export interface InboxPage {
  data: InboxItem[];
  next_cursor: string | null;
  /** Of the whole inbox, not of this page. */
  unread_count: number;
}

/** The results of the reports of one call, in the order of the reports. */
export interface InteractionResults {
  results: { event_id: string | null; status: string | null; recorded: boolean; code?: string }[];
}

/** The results of the items of one call, in the order of the items. */
export interface BatchResult {
  results: { status: number; code?: string }[];
}
