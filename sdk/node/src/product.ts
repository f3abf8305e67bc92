// Every route of the product API, written from the service's OpenAPI document by `npx vitest run sdk/node/test/product-text.test.ts -u`.
// Do not edit.

import type { RequestOptions } from "./resources.ts";

/** The codes of the service's errors; docs/errors.md says what each means. */
export type ServiceErrorCode = "invalid_request" | "not_found" | "conflict" | "changed_meanwhile" | "limit_reached" | "idempotency_in_progress" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "headers_too_large" | "request_timeout" | "rate_limited" | "busy" | "internal_error" | "unavailable" | "unauthenticated" | "sign_in_failed" | "second_factor_required" | "fresh_sign_in_required" | "not_permitted" | "cross_site_request" | "person_token_missing" | "person_token_invalid" | "person_token_expired" | "key_not_permitted" | "callback_unverified" | "callback_not_configured" | "workspace_suspended" | "setup_done" | "last_owner" | "link_invalid" | "password_refused" | "passkey_refused" | "code_wrong" | "person_not_found" | "person_erased" | "person_busy" | "ambiguous_recipient" | "same_person" | "recipient_missing" | "recipient_invalid" | "audience_circle" | "audience_empty" | "audience_too_complex" | "audience_not_a_list" | "delivery_not_found" | "transactional_not_found" | "template_not_found" | "wrong_status" | "already_entered" | "runs_inside" | "webhook_disabled" | "delivery_not_resendable" | "delivery_not_cancelable" | "channel_mismatch" | "image_refused" | "image_too_large" | "content_missing" | "message_data_missing" | "message_data_invalid" | "template_error" | "campaign_invalid" | "not_replayable" | "in_app_disabled" | "address_not_allowed" | "content_not_retained" | "credentials_missing" | "provider_refused";

export type ApiTrigger = { type: "api" };

export type ApnsCredentials = { private_key: string };

export type ApnsSettings = { team_id: string; key_id: string; topic: string; environment?: "production" | "sandbox"; endpoint?: string };

export type AudienceTrigger = { type: "audience"; audience_id?: string; audience?: Filter; existing?: boolean };

export type BatchStep = { id: string; type: "batch"; key?: string; window?: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; max?: number };

export type BranchStep = { id: string; type: "branch"; if?: StepFilter; then?: Step[]; else?: Step[] };

export type Content = EmailContent | TemplateContent | PushContent | SmsContent;

export type DateTrigger = { type: "date"; attribute: string; offset?: { amount: number; unit: "seconds" | "minutes" | "hours" | "days"; direction: "before" | "after" }; at?: string; yearly?: boolean };

export type EmailContent = { subject: string; preheader?: string; body: string; plaintext_body?: string; from?: string; reply_to?: string };

export type EventTrigger = { type: "event"; name: string; where?: PropertyFilter[] };

export type ExitStep = { id: string; type: "exit" };

export type FcmCredentials = { private_key: string };

export type FcmSettings = { project_id: string; client_email: string; token_url?: string; endpoint?: string };

export type Filter = { all: Filter[] } | { any: Filter[] } | { not: Filter } | { attribute: string; op: "eq" | "ne"; value: string | number | boolean } | { attribute: string; op: "in"; value: (string | number | boolean)[] } | { attribute: string; op: "gt" | "gte" | "lt" | "lte"; value: number | string } | { attribute: string; op: "contains" | "starts_with"; value: string } | { attribute: string; op: "exists"; value?: boolean } | { attribute: string; op: "before" | "after"; value: string } | { attribute: string; op: "within_last"; value: { amount: number; unit: "minutes" | "hours" | "days" } } | { event: string; op: "performed" | "not_performed"; count?: { eq?: number; gt?: number; gte?: number; lt?: number; lte?: number }; within?: { amount: number; unit: "minutes" | "hours" | "days" }; where?: { property: string; op: "eq" | "ne"; value: string | number | boolean } | { property: string; op: "in"; value: (string | number | boolean)[] } | { property: string; op: "gt" | "gte" | "lt" | "lte"; value: number | string } | { property: string; op: "contains" | "starts_with"; value: string } | { property: string; op: "exists"; value?: boolean } | { property: string; op: "before" | "after"; value: string } | { property: string; op: "within_last"; value: { amount: number; unit: "minutes" | "hours" | "days" } }[] } | { subscribed: boolean; channel?: "email" | "push" | "sms" | "in_app"; topic?: string } | { message: "sent" | "delivered" | "shown" | "opened" | "clicked" | "dismissed" | "bounced" | "complained" | "unsubscribed" | "failed"; op: "performed" | "not_performed"; source_id?: string; channel?: "email" | "push" | "sms" | "in_app"; within?: { amount: number; unit: "minutes" | "hours" | "days" } } | { audience: string };

export type HttpCredentials = { bearer_token?: string; signing_secret?: string };

export type HttpSettings = { url: string; from?: string; headers?: Record<string, string> };

export type IngestionItem = { type: "identify"; person_id: string; attributes?: Record<string, unknown>; ts?: string | Date } | { type: "track"; person_id: string; eventName: string; properties?: Record<string, unknown>; ts?: string | Date; event_id?: string };

export type Interaction = { delivery_id: string; type: "impression" | "click" | "dismiss"; event_id: string; screen?: string | null; platform?: string | null; app_version?: string | null; action_id?: string | null; reason?: string | null; ts?: string | Date | null };

export type ListStep = { id: string; type: "list"; add?: string; remove?: string; on_failure?: "continue" | "exit" };

export type LocalCredentials = Record<string, unknown>;

export type LocalSettings = Record<string, unknown>;

export type MailgunCredentials = { api_key: string; webhook_signing_key?: string };

export type MailgunSettings = { domain: string; region?: "us" | "eu"; endpoint?: string };

export type MessageStep = { id: string; type: "message"; channel?: "email" | "push" | "sms" | "in_app"; message_id?: string; content?: Content; locales?: Record<string, { message_id?: string; content?: Content }> | null; variants?: { name: string; weight: number; message_id?: string; content?: Content; locales?: Record<string, { message_id?: string; content?: Content }> | null }[] | null; holdout_percent?: number; topic_id?: string | null; tracking?: { opens: boolean; clicks: boolean }; subscription_preference?: "subscribed" | "all"; when_held?: "wait" | "drop"; on_failure?: "continue" | "exit"; escalate?: { after?: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; channel: "email" | "push" | "sms" | "in_app"; message_id?: string; content?: Content }[] };

export type PostmarkCredentials = { server_token: string; webhook_password?: string };

export type PostmarkSettings = { message_stream?: string; endpoint?: string };

export type PropertyFilter = { property: string; op: "eq" | "ne"; value: string | number | boolean } | { property: string; op: "in"; value: (string | number | boolean)[] } | { property: string; op: "gt" | "gte" | "lt" | "lte"; value: number | string } | { property: string; op: "contains" | "starts_with"; value: string } | { property: string; op: "exists"; value?: boolean } | { property: string; op: "before" | "after"; value: string } | { property: string; op: "within_last"; value: { amount: number; unit: "minutes" | "hours" | "days" } };

export type ProviderCredentials = LocalCredentials | SmtpCredentials | SesCredentials | PostmarkCredentials | ResendCredentials | SendgridCredentials | MailgunCredentials | TwilioCredentials | VonageCredentials | HttpCredentials | FcmCredentials | ApnsCredentials | WebpushCredentials;

export type ProviderSettings = LocalSettings | SmtpSettings | SesSettings | PostmarkSettings | ResendSettings | SendgridSettings | MailgunSettings | TwilioSettings | VonageSettings | HttpSettings | FcmSettings | ApnsSettings | WebpushSettings;

export type PushContent = { title: string; message: string; image_url?: string; link?: string };

export type RecurringTrigger = { type: "recurring"; days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; at: string; audience_id: string };

export type ResendCredentials = { api_key: string; webhook_secret?: string };

export type ResendSettings = { endpoint?: string };

export type SendgridCredentials = { api_key: string; webhook_public_key?: string };

export type SendgridSettings = { endpoint?: string };

export type SesCredentials = { access_key_id: string; secret_access_key: string; session_token?: string };

export type SesSettings = { region: string; configuration_set?: string; topic_arn?: string; endpoint?: string };

export type SmsContent = { body: string; to?: string };

export type SmtpCredentials = { password?: string; bounce_password?: string };

export type SmtpSettings = { host: string; port?: number; secure?: boolean; user?: string; require_tls?: boolean; verify_certificate?: boolean; bounce_mailbox?: { host: string; port?: number; secure?: boolean; user: string; address: string; verp?: boolean } };

export type SplitStep = { id: string; type: "split"; arms?: { name: string; weight: number; steps?: Step[] }[] };

export type StartStep = { id: string; type: "start"; campaign_id?: string; data?: Record<string, unknown>; on_failure?: "continue" | "exit" };

export type Step = MessageStep | WaitStep | WaitUntilStep | WaitWindowStep | BranchStep | SplitStep | BatchStep | ThrottleStep | UpdateStep | ListStep | WebhookStep | StartStep | ExitStep;

export type StepFilter = { all: StepFilter[] } | { any: StepFilter[] } | { not: StepFilter } | { trigger: string; op: "eq" | "ne"; value: string | number | boolean } | { trigger: string; op: "in"; value: (string | number | boolean)[] } | { trigger: string; op: "gt" | "gte" | "lt" | "lte"; value: number | string } | { trigger: string; op: "contains" | "starts_with"; value: string } | { trigger: string; op: "exists"; value?: boolean } | { trigger: string; op: "before" | "after"; value: string } | { trigger: string; op: "within_last"; value: { amount: number; unit: "minutes" | "hours" | "days" } } | { step: string; op: "sent" | "seen" | "clicked" | "failed" } | { attribute: string; op: "eq" | "ne"; value: string | number | boolean } | { attribute: string; op: "in"; value: (string | number | boolean)[] } | { attribute: string; op: "gt" | "gte" | "lt" | "lte"; value: number | string } | { attribute: string; op: "contains" | "starts_with"; value: string } | { attribute: string; op: "exists"; value?: boolean } | { attribute: string; op: "before" | "after"; value: string } | { attribute: string; op: "within_last"; value: { amount: number; unit: "minutes" | "hours" | "days" } } | { event: string; op: "performed" | "not_performed"; count?: { eq?: number; gt?: number; gte?: number; lt?: number; lte?: number }; within?: { amount: number; unit: "minutes" | "hours" | "days" }; where?: { property: string; op: "eq" | "ne"; value: string | number | boolean } | { property: string; op: "in"; value: (string | number | boolean)[] } | { property: string; op: "gt" | "gte" | "lt" | "lte"; value: number | string } | { property: string; op: "contains" | "starts_with"; value: string } | { property: string; op: "exists"; value?: boolean } | { property: string; op: "before" | "after"; value: string } | { property: string; op: "within_last"; value: { amount: number; unit: "minutes" | "hours" | "days" } }[] } | { subscribed: boolean; channel?: "email" | "push" | "sms" | "in_app"; topic?: string } | { message: "sent" | "delivered" | "shown" | "opened" | "clicked" | "dismissed" | "bounced" | "complained" | "unsubscribed" | "failed"; op: "performed" | "not_performed"; source_id?: string; channel?: "email" | "push" | "sms" | "in_app"; within?: { amount: number; unit: "minutes" | "hours" | "days" } } | { audience: string };

export type TemplateContent = { template_id: string; subject?: string; preheader?: string; from?: string; reply_to?: string };

export type ThrottleStep = { id: string; type: "throttle"; key?: string; limit?: number; window?: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; otherwise?: "exit" | "wait" };

export type Trigger = EventTrigger | AudienceTrigger | DateTrigger | RecurringTrigger | ApiTrigger;

export type TriggerItem = { channel: "email"; transactional_message_id?: string; identifiers: { id?: string; email?: string; phone?: string }; message_data?: Record<string, unknown>; send_at?: string | Date; expires_in?: number; disable_message_retention?: boolean; subscription_preference?: "subscribed" | "all"; to?: string; subject?: string; body?: string; plaintext_body?: string; preheader?: string; from?: string; reply_to?: string; cc?: string[]; bcc?: string[]; headers?: Record<string, string>; attachments?: Record<string, string> } | { channel: "push"; transactional_message_id?: string; identifiers: { id?: string; email?: string; phone?: string }; message_data?: Record<string, unknown>; send_at?: string | Date; expires_in?: number; disable_message_retention?: boolean; to?: string; title?: string; message?: string; image_url?: string; link?: string; custom_data?: Record<string, unknown> } | { channel: "sms"; transactional_message_id?: string; identifiers: { id?: string; email?: string; phone?: string }; message_data?: Record<string, unknown>; send_at?: string | Date; expires_in?: number; disable_message_retention?: boolean; subscription_preference?: "subscribed" | "all"; to?: string; body?: string };

export type TwilioCredentials = { auth_token: string };

export type TwilioSettings = { account_sid: string; from?: string; messaging_service_sid?: string; endpoint?: string };

export type UpdateStep = { id: string; type: "update"; attributes?: Record<string, unknown>; on_failure?: "continue" | "exit" };

export type VonageCredentials = { api_key: string; api_secret: string; signature_secret?: string };

export type VonageSettings = { from: string; endpoint?: string };

export type WaitStep = { id: string; type: "wait"; for?: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; until?: string; offset?: { amount: number; unit: "seconds" | "minutes" | "hours" | "days"; direction?: "before" | "after" } };

export type WaitUntilStep = { id: string; type: "wait_until"; event?: string; where?: PropertyFilter[]; timeout?: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; counts_from?: "entry" | "step"; then?: Step[]; else?: Step[] };

export type WaitWindowStep = { id: string; type: "wait_window"; from?: string; to?: string; days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] };

export type WebhookStep = { id: string; type: "webhook"; url?: string; body?: Record<string, unknown>; on_failure?: "continue" | "exit" };

export type WebpushCredentials = { private_key: string };

export type WebpushSettings = { subject: string; public_key: string };

export interface Product {
  activity: {
    /** List what happened in the workspace, newest first. `GET /api/v1/activity` */
    list(query?: { limit?: number; cursor?: string; types?: string; channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string; person_id?: string }, options?: RequestOptions): Promise<{ data: { id: string; type: string; timestamp: string; data: { person_id: string | null; delivery_id: string | null; channel: "email" | "push" | "sms" | "in_app" | null; source: "transactional" | "broadcast" | "campaign" | "test" | null; source_id: string | null; step_id: string | null; variant: string | null; message_id: string | null; recipient: string | null; details: Record<string, unknown> } }[]; next_cursor: string | null }>;
  };
  analytics: {
    /** Show the numbers by the hour or day, in the workspace's time zone. `GET /api/v1/analytics` */
    get(query?: { from?: string | Date; to?: string | Date; bucket?: "hour" | "day"; by?: "channel" | "source"; channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string }, options?: RequestOptions): Promise<{ from: string; to: string; bucket: "hour" | "day"; timezone: string; totals: { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }; data: { start: string; end: string; sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }[]; parts?: { channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; totals: { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }; data: { start: string; end: string; sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }[] }[] }>;
    /** Export the numbers by the hour or day as CSV. `GET /api/v1/analytics/export` */
    export(query?: { from?: string | Date; to?: string | Date; bucket?: "hour" | "day"; by?: "channel" | "source"; channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string }, options?: RequestOptions): Promise<string>;
    /** Show the numbers of the workspace, in all and by channel, kind of source or source. `GET /api/v1/analytics/metrics` */
    metrics(query?: { limit?: number; cursor?: string; from?: string | Date; to?: string | Date; channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string; by?: "channel" | "source" | "source_id"; sort?: "sent" | "delivered" | "shown" | "opened" | "clicked" | "dismissed" | "bounced" | "unsubscribed" | "failed" | "-sent" | "-delivered" | "-shown" | "-opened" | "-clicked" | "-dismissed" | "-bounced" | "-unsubscribed" | "-failed" }, options?: RequestOptions): Promise<{ from: string | null; to: string | null; totals: { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }; data: { channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string | null; name?: string | null; sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }[]; next_cursor: string | null }>;
    /** Export the numbers of the workspace as CSV. `GET /api/v1/analytics/metrics/export` */
    metricsExport(query?: { from?: string | Date; to?: string | Date; channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string; by?: "channel" | "source" | "source_id" }, options?: RequestOptions): Promise<string>;
  };
  apiKeys: {
    /** List API keys, newest first. `GET /api/v1/api-keys` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { id: string; kind: "secret" | "public"; name: string; scopes: ("read" | "send" | "ingest" | "author" | "admin")[] | null; created_at: string; expires_at: string | null; last_used_at: string | null; revoked_at: string | null; etag: string }[]; next_cursor: string | null }>;
    /** Create an API key. `POST /api/v1/api-keys` */
    create(body: { kind: "secret" | "public"; name?: string; scopes?: ("read" | "send" | "ingest" | "author" | "admin")[] | null; expires_at?: string | Date | null }, options?: RequestOptions): Promise<{ id: string; kind: "secret" | "public"; name: string; scopes: ("read" | "send" | "ingest" | "author" | "admin")[] | null; created_at: string; expires_at: string | null; last_used_at: string | null; revoked_at: string | null; key: string }>;
    /** Create a key with the same rights, and end this one after an overlap. `POST /api/v1/api-keys/:id/roll` */
    roll(id: string, body?: { overlap?: { amount: number; unit: "minutes" | "hours" | "days" } | null; expires_at?: string | Date | null }, options?: RequestOptions): Promise<{ id: string; kind: "secret" | "public"; name: string; scopes: ("read" | "send" | "ingest" | "author" | "admin")[] | null; created_at: string; expires_at: string | null; last_used_at: string | null; revoked_at: string | null; key: string; replaces: { id: string; kind: "secret" | "public"; name: string; scopes: ("read" | "send" | "ingest" | "author" | "admin")[] | null; created_at: string; expires_at: string | null; last_used_at: string | null; revoked_at: string | null } }>;
    /** Revoke an API key. `DELETE /api/v1/api-keys/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
  };
  audiences: {
    /** List audiences, newest first, without their filters. `GET /api/v1/audiences` */
    list(query?: { limit?: number; cursor?: string; q?: string; kind?: "filter" | "list"; sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name"; counts?: boolean }, options?: RequestOptions): Promise<{ data: { id: string; name: string; kind: "filter" | "list"; created_at: string; updated_at: string }[]; next_cursor: string | null; counts?: { total: number; exact: boolean; by_kind: { filter: number; list: number } } }>;
    /** Create an audience: a filter over people, or a list. `POST /api/v1/audiences` */
    create(body: { name: string; kind?: "filter" | "list"; filter?: Filter }, options?: RequestOptions): Promise<{ id: string; name: string; kind: "filter" | "list"; created_at: string; updated_at: string; filter: Filter | null; used_by: { type: string; id: string; name: string }[] }>;
    /** Get an audience, with its uses. `GET /api/v1/audiences/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; name: string; kind: "filter" | "list"; created_at: string; updated_at: string; filter: Filter | null; used_by: { type: string; id: string; name: string }[] }>;
    /** Change an audience; a new filter is answered 409 while something uses the audience. `PATCH /api/v1/audiences/:id` */
    update(id: string, body: { name?: string; filter?: Filter; even_if_used?: boolean }, options?: RequestOptions): Promise<{ id: string; name: string; kind: "filter" | "list"; created_at: string; updated_at: string; filter: Filter | null; used_by: { type: string; id: string; name: string }[] }>;
    /** Remove an audience; 409 while something uses it. `DELETE /api/v1/audiences/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** Count the people that a filter matches, with a sample. `POST /api/v1/audiences/preview` */
    preview(body: { filter: Filter }, options?: RequestOptions): Promise<{ count: number; sample: { person_id: string }[] }>;
    /** List the members of an audience. `GET /api/v1/audiences/:id/members` */
    members(id: string, query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { person_id: string; email: string | null; phone: string | null }[]; next_cursor: string | null }>;
    /** Explain why a person is in an audience, or is not. `GET /api/v1/audiences/:id/people/:person_id` */
    person(id: string, personId: string, options?: RequestOptions): Promise<{ person_id: string; in: boolean; because: string; verdict: Record<string, unknown> }>;
    /** Add a person to a list. `PUT /api/v1/audiences/:id/members/:person_id` */
    addMember(id: string, personId: string, options?: RequestOptions): Promise<void>;
    /** Remove a person from a list. `DELETE /api/v1/audiences/:id/members/:person_id` */
    removeMember(id: string, personId: string, options?: RequestOptions): Promise<void>;
    /** Export the members of an audience as CSV. `GET /api/v1/audiences/:id/export` */
    export(id: string, options?: RequestOptions): Promise<string>;
    /** Add the people of a CSV file to a list. `POST /api/v1/audiences/:id/import` */
    import(id: string, csv: string, options?: RequestOptions): Promise<{ id: string; kind: "audience" | "suppressions"; target: string | null; status: "running" | "done" | "failed" | "cut_off"; bytes: number; bytes_read: number; rows: number; added: number; known: number; refused: number; errors: { line: number; message: string }[]; reason: string | null; started_at: string; finished_at: string | null }>;
  };
  audit: {
    /** List who changed what, the latest first. `GET /api/v1/audit` */
    list(query?: { limit?: number; cursor?: string; resource?: string; actor?: string; action?: string; person_id?: string; since?: string | Date; until?: string | Date }, options?: RequestOptions): Promise<{ data: { id: string; at: string; action: string; actor: { type: "api_key" | "member" | "command" | "system"; id: string | null; name: string }; resource: { type: string; id: string; name: string }; changes: { field: string; from?: unknown; to?: unknown }[]; changes_left_out: number; request_id: string | null }[]; next_cursor: string | null }>;
  };
  broadcasts: {
    /** List broadcasts, newest first, without their contents. `GET /api/v1/broadcasts` */
    list(query?: { limit?: number; cursor?: string; q?: string; status?: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; channel?: "email" | "push" | "sms" | "in_app"; sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" | "status" | "-status"; counts?: boolean }, options?: RequestOptions): Promise<{ data: { id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; message_id: string | null; message_version: number | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; when_held: "wait" | "drop"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string }[]; next_cursor: string | null; counts?: { total: number; exact: boolean; by_status: { draft: number; scheduled: number; sending: number; paused: number; sent: number; canceled: number; failed: number }; by_channel: { email: number; push: number; sms: number; in_app: number } } }>;
    /** Create a broadcast, as a draft. `POST /api/v1/broadcasts` */
    create(body: { name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id?: string; audience?: Filter; message_id?: string; content?: Content; locales?: Record<string, { message_id?: string; content?: Content }> | null; variants?: { name: string; weight: number; message_id?: string; content?: Content; locales?: Record<string, { message_id?: string; content?: Content }> | null }[] | null; holdout_percent?: number; topic_id?: string | null; tracking?: { opens: boolean; clicks: boolean }; subscription_preference?: "subscribed" | "all"; when_held?: "wait" | "drop"; rate_per_second?: number | null }, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; message_id: string | null; message_version: number | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; when_held: "wait" | "drop"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string; audience: Record<string, unknown> | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null }>;
    /** Get a broadcast, with its progress. `GET /api/v1/broadcasts/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; message_id: string | null; message_version: number | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; when_held: "wait" | "drop"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string; audience: Record<string, unknown> | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null }>;
    /** Change a draft or a scheduled one. `PATCH /api/v1/broadcasts/:id` */
    update(id: string, body: { name?: string; audience_id?: string; audience?: Filter; message_id?: string; content?: Content; locales?: Record<string, { message_id?: string; content?: Content }> | null; variants?: { name: string; weight: number; message_id?: string; content?: Content; locales?: Record<string, { message_id?: string; content?: Content }> | null }[] | null; holdout_percent?: number; topic_id?: string | null; tracking?: { opens: boolean; clicks: boolean }; subscription_preference?: "subscribed" | "all"; when_held?: "wait" | "drop"; rate_per_second?: number | null }, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; message_id: string | null; message_version: number | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; when_held: "wait" | "drop"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string; audience: Record<string, unknown> | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null }>;
    /** Remove a broadcast that is not being sent. `DELETE /api/v1/broadcasts/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** Send it now. `POST /api/v1/broadcasts/:id/send` */
    send(id: string, body?: { allow_empty?: boolean }, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; message_id: string | null; message_version: number | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; when_held: "wait" | "drop"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string; audience: Record<string, unknown> | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null }>;
    /** Pause it: nothing more is queued after the answer. `POST /api/v1/broadcasts/:id/pause` */
    pause(id: string, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; message_id: string | null; message_version: number | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; when_held: "wait" | "drop"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string; audience: Record<string, unknown> | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null }>;
    /** Resume a paused one. `POST /api/v1/broadcasts/:id/resume` */
    resume(id: string, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; message_id: string | null; message_version: number | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; when_held: "wait" | "drop"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string; audience: Record<string, unknown> | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null }>;
    /** Cancel it; queued deliveries stay. `POST /api/v1/broadcasts/:id/cancel` */
    cancel(id: string, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; message_id: string | null; message_version: number | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; when_held: "wait" | "drop"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string; audience: Record<string, unknown> | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null }>;
    /** Schedule it for a time, or for each person's local time. `POST /api/v1/broadcasts/:id/schedule` */
    schedule(id: string, body: { send_at: string | Date; local_time?: boolean; allow_empty?: boolean }, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; message_id: string | null; message_version: number | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; when_held: "wait" | "drop"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string; audience: Record<string, unknown> | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null }>;
    /** Recall its deliveries that are not dismissed, and cancel the rest; open applications remove them at once. `POST /api/v1/broadcasts/:id/recall` */
    recall(id: string, options?: RequestOptions): Promise<{ status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; recalled: number; more: boolean }>;
    /** Count who would get it now, and who would not and why. `POST /api/v1/broadcasts/:id/preflight` */
    preflight(id: string, options?: RequestOptions): Promise<{ audience: number; will_receive: number; excluded: Record<string, number>; held_out: number; variants?: Record<string, { will_receive: number; excluded: Record<string, number> }>; locales?: Record<string, number>; held?: number; samples: Record<string, string[]> }>;
    /** Preview it for a person. `POST /api/v1/broadcasts/:id/preview` */
    preview(id: string, body: { person_id: string; variant?: string; locale?: string | null }, options?: RequestOptions): Promise<Record<string, unknown>>;
    /** Send it to one person as a test, even if the person is not in the audience. `POST /api/v1/broadcasts/:id/test-sends` */
    testSends(id: string, body: { person_id: string; variant?: string; locale?: string | null }, options?: RequestOptions): Promise<{ delivery_id: string }>;
    /** Show the numbers of its deliveries. `GET /api/v1/broadcasts/:id/metrics` */
    metrics(id: string, query?: { channel?: "email" | "push" | "sms" | "in_app"; since?: string | Date; until?: string | Date }, options?: RequestOptions): Promise<{ sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number; variants?: Record<string, { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }> }>;
    /** Count its deliveries that did not arrive, by reason. `GET /api/v1/broadcasts/:id/failures` */
    failures(id: string, options?: RequestOptions): Promise<{ data: { status: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "shown" | "dismissed" | "expired"; reason: string | null; count: number }[]; exact: boolean }>;
  };
  campaigns: {
    /** List campaigns, newest first, without their steps. `GET /api/v1/campaigns` */
    list(query?: { limit?: number; cursor?: string; q?: string; status?: "draft" | "active" | "paused" | "archived"; sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" | "status" | "-status"; counts?: boolean }, options?: RequestOptions): Promise<{ data: { id: string; name: string; status: "draft" | "active" | "paused" | "archived"; trigger_type: "event" | "audience" | "date" | "recurring" | "api"; trigger: Trigger; active_runs: number; step_count: number; channels: ("email" | "push" | "sms" | "in_app")[]; published: { version: number; activated_at: string } | null; changed: boolean; paused_at: string | null; progress: { kind: "moving" | "ending"; total: number; done: number; seconds_left: number | null; started_at: string | null } | null; created_at: string; updated_at: string }[]; next_cursor: string | null; counts?: { total: number; exact: boolean; by_status: { draft: number; active: number; paused: number; archived: number } } }>;
    /** Create a campaign as a draft. `POST /api/v1/campaigns` */
    create(body: { name: string; trigger: Trigger; reentry?: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps: Step[]; entry_max_age?: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when?: StepFilter | null; goal?: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on?: { event: string; where?: PropertyFilter[] } | null }, options?: RequestOptions): Promise<{ id: string; name: string; status: "draft" | "active" | "paused" | "archived"; trigger: Trigger; reentry: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps: Step[]; entry_max_age: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when: StepFilter | null; goal: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on: { event: string; where?: PropertyFilter[] } | null; summary: { step_id: string | null; depth: number; text: string }[]; published: { version: number; activated_at: string } | null; changed: boolean; paused_at: string | null; progress: { kind: "moving" | "ending"; total: number; done: number; seconds_left: number | null; started_at: string | null } | null; created_at: string; updated_at: string }>;
    /** Get a campaign with its latest draft and its published version. `GET /api/v1/campaigns/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; name: string; status: "draft" | "active" | "paused" | "archived"; trigger: Trigger; reentry: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps: Step[]; entry_max_age: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when: StepFilter | null; goal: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on: { event: string; where?: PropertyFilter[] } | null; summary: { step_id: string | null; depth: number; text: string }[]; published: { version: number; activated_at: string } | null; changed: boolean; paused_at: string | null; progress: { kind: "moving" | "ending"; total: number; done: number; seconds_left: number | null; started_at: string | null } | null; created_at: string; updated_at: string }>;
    /** Change the draft; the published version stays until the campaign is activated again. `PATCH /api/v1/campaigns/:id` */
    update(id: string, body: { name?: string; trigger?: Trigger; reentry?: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps?: Step[]; entry_max_age?: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when?: StepFilter | null; goal?: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on?: { event: string; where?: PropertyFilter[] } | null }, options?: RequestOptions): Promise<{ id: string; name: string; status: "draft" | "active" | "paused" | "archived"; trigger: Trigger; reentry: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps: Step[]; entry_max_age: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when: StepFilter | null; goal: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on: { event: string; where?: PropertyFilter[] } | null; summary: { step_id: string | null; depth: number; text: string }[]; published: { version: number; activated_at: string } | null; changed: boolean; paused_at: string | null; progress: { kind: "moving" | "ending"; total: number; done: number; seconds_left: number | null; started_at: string | null } | null; created_at: string; updated_at: string }>;
    /** Remove a draft or an archived campaign. `DELETE /api/v1/campaigns/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** List the problems that prevent its activation, each with its step. `POST /api/v1/campaigns/:id/validate` */
    validate(id: string, options?: RequestOptions): Promise<{ problems: { code: string; message: string; step_id: string | null; pointer: string }[] }>;
    /** Activate it: publish the draft and let people enter. `POST /api/v1/campaigns/:id/activate` */
    activate(id: string, body?: { inside?: "stay" | "move" | "end" }, options?: RequestOptions): Promise<{ id: string; name: string; status: "draft" | "active" | "paused" | "archived"; trigger: Trigger; reentry: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps: Step[]; entry_max_age: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when: StepFilter | null; goal: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on: { event: string; where?: PropertyFilter[] } | null; summary: { step_id: string | null; depth: number; text: string }[]; published: { version: number; activated_at: string } | null; changed: boolean; paused_at: string | null; progress: { kind: "moving" | "ending"; total: number; done: number; seconds_left: number | null; started_at: string | null } | null; created_at: string; updated_at: string }>;
    /** Pause it: its people stay where they are and nobody enters. `POST /api/v1/campaigns/:id/pause` */
    pause(id: string, options?: RequestOptions): Promise<{ id: string; name: string; status: "draft" | "active" | "paused" | "archived"; trigger: Trigger; reentry: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps: Step[]; entry_max_age: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when: StepFilter | null; goal: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on: { event: string; where?: PropertyFilter[] } | null; summary: { step_id: string | null; depth: number; text: string }[]; published: { version: number; activated_at: string } | null; changed: boolean; paused_at: string | null; progress: { kind: "moving" | "ending"; total: number; done: number; seconds_left: number | null; started_at: string | null } | null; created_at: string; updated_at: string }>;
    /** Resume a paused one; each wait keeps the time that was left. `POST /api/v1/campaigns/:id/resume` */
    resume(id: string, options?: RequestOptions): Promise<{ id: string; name: string; status: "draft" | "active" | "paused" | "archived"; trigger: Trigger; reentry: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps: Step[]; entry_max_age: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when: StepFilter | null; goal: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on: { event: string; where?: PropertyFilter[] } | null; summary: { step_id: string | null; depth: number; text: string }[]; published: { version: number; activated_at: string } | null; changed: boolean; paused_at: string | null; progress: { kind: "moving" | "ending"; total: number; done: number; seconds_left: number | null; started_at: string | null } | null; created_at: string; updated_at: string }>;
    /** Archive it and end all of its runs. `POST /api/v1/campaigns/:id/archive` */
    archive(id: string, options?: RequestOptions): Promise<{ id: string; name: string; status: "draft" | "active" | "paused" | "archived"; trigger: Trigger; reentry: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps: Step[]; entry_max_age: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when: StepFilter | null; goal: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on: { event: string; where?: PropertyFilter[] } | null; summary: { step_id: string | null; depth: number; text: string }[]; published: { version: number; activated_at: string } | null; changed: boolean; paused_at: string | null; progress: { kind: "moving" | "ending"; total: number; done: number; seconds_left: number | null; started_at: string | null } | null; created_at: string; updated_at: string }>;
    /** List its published versions with who published them, newest first. `GET /api/v1/campaigns/:id/versions` */
    versions(id: string, query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { version: number; activated_at: string; activated_by: { type: "api_key" | "member" | "command" | "system"; id: string | null; name: string } | null; inside: "stay" | "move" | "end" | null }[]; next_cursor: string | null }>;
    /** Get the secret that signs the calls of webhook steps. `GET /api/v1/campaigns/webhook-secret` */
    webhookSecret(options?: RequestOptions): Promise<{ secret: string; created_at: string; previous_valid_until: string | null }>;
    /** Create a new secret for the calls of webhook steps; the previous one also signs for a while. `POST /api/v1/campaigns/webhook-secret` */
    createWebhookSecret(body?: { overlap_hours?: number }, options?: RequestOptions): Promise<{ secret: string; previous_valid_until: string }>;
    /** Start a run of an active campaign for a person. `POST /api/v1/campaigns/:id/runs` */
    startRun(id: string, body: { person_id: string; data?: Record<string, unknown>; cancellation_key?: string }, options?: RequestOptions): Promise<{ run_id: string }>;
    /** List the runs of a campaign, or those behind one of its numbers, latest first. `GET /api/v1/campaigns/:id/runs` */
    runs(id: string, query?: { limit?: number; cursor?: string; person_id?: string; step?: string; state?: "entered" | "waiting" | "passed" | "failed" | "exited"; status?: "active" | "completed" | "exited" | "failed" | "canceled"; converted?: boolean; from?: string | Date; to?: string | Date }, options?: RequestOptions): Promise<{ data: { id: string; campaign_id: string; person_id: string | null; status: "active" | "completed" | "exited" | "failed" | "canceled"; reason: string | null; step_id: string | null; data: Record<string, unknown>; cancellation_key: string | null; entered_at: string; due_at: string | null; ended_at: string | null }[]; next_cursor: string | null }>;
    /** Cancel all active runs with this cancellation_key. `POST /api/v1/campaigns/:id/runs/cancel` */
    cancelRuns(id: string, body: { cancellation_key: string }, options?: RequestOptions): Promise<{ canceled: number }>;
    /** Get a run with its history, step by step. `GET /api/v1/campaigns/:id/runs/:run_id` */
    run(id: string, runId: string, options?: RequestOptions): Promise<{ id: string; campaign_id: string; person_id: string | null; status: "active" | "completed" | "exited" | "failed" | "canceled"; reason: string | null; step_id: string | null; data: Record<string, unknown>; cancellation_key: string | null; entered_at: string; due_at: string | null; ended_at: string | null; history: { step_id: string; entered_at: string; left_at: string | null; state: "waiting" | "passed" | "failed" | "exited"; way: string | null; reason: string | null; delivery_id: string | null; detail: Record<string, unknown> | null }[] }>;
    /** Get the numbers of its messages, runs, steps and goal, also by the hour or day. `GET /api/v1/campaigns/:id/metrics` */
    metrics(id: string, query?: { channel?: "email" | "push" | "sms" | "in_app"; bucket?: "hour" | "day"; from?: string | Date; to?: string | Date; by?: "step" | "channel" }, options?: RequestOptions): Promise<{ totals: { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }; channels: Record<string, { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }>; runs: { entered: number; active: number; completed: number; exited: number; failed: number; canceled: number; converted?: number }; steps: Record<string, { entered: number; waiting: number; passed: number; failed: number; exited: number; converted?: number; messages?: { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number; channels: Record<string, { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }> } }>; goal?: { reached: number; runs: number; rate: number | null; open: number; unattributed: number; steps: Record<string, { attributed: number; clicked: number; seen: number; sent: number; channels: Record<string, number>; messaged?: { people: number; reached: number; rate: number | null }; held_out?: { people: number; reached: number; rate: number | null }; open?: number; lift?: { against: string; difference: number | null; interval: number[] | null; enough: boolean; verdict: "not_enough_yet" | "no_clear_difference" | "higher" | "lower" }; variants?: Record<string, { people: number; reached: number; rate: number | null; lift?: { against: string; difference: number | null; interval: number[] | null; enough: boolean; verdict: "not_enough_yet" | "no_clear_difference" | "higher" | "lower" } }> }> }; kept_since: string | null; series?: { from: string; to: string; bucket: "hour" | "day"; timezone: string; data: { start: string; end: string; runs: { entered: number; completed: number; exited: number; failed: number; canceled: number; converted?: number }; messages: { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number } }[]; parts?: { step: string; data: { start: string; end: string; entered: number; passed: number; failed: number; exited: number; converted?: number }[] } | { channel: "email" | "push" | "sms" | "in_app"; data: { start: string; end: string; sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }[] }[] }; occurrences?: { date: string; status: "open" | "done" | "missed"; entered: number; unreadable: number }[] }>;
    /** Count its deliveries that did not arrive, by reason. `GET /api/v1/campaigns/:id/failures` */
    failures(id: string, options?: RequestOptions): Promise<{ data: { status: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "shown" | "dismissed" | "expired"; reason: string | null; count: number }[]; exact: boolean }>;
    /** Move a run to another step. `POST /api/v1/campaigns/:id/runs/:run_id/move` */
    moveRun(id: string, runId: string, body: { step_id: string }, options?: RequestOptions): Promise<{ id: string; campaign_id: string; person_id: string | null; status: "active" | "completed" | "exited" | "failed" | "canceled"; reason: string | null; step_id: string | null; data: Record<string, unknown>; cancellation_key: string | null; entered_at: string; due_at: string | null; ended_at: string | null; history: { step_id: string; entered_at: string; left_at: string | null; state: "waiting" | "passed" | "failed" | "exited"; way: string | null; reason: string | null; delivery_id: string | null; detail: Record<string, unknown> | null }[] }>;
    /** Skip the step where a run stands. `POST /api/v1/campaigns/:id/runs/:run_id/skip` */
    skipRun(id: string, runId: string, options?: RequestOptions): Promise<{ id: string; campaign_id: string; person_id: string | null; status: "active" | "completed" | "exited" | "failed" | "canceled"; reason: string | null; step_id: string | null; data: Record<string, unknown>; cancellation_key: string | null; entered_at: string; due_at: string | null; ended_at: string | null; history: { step_id: string; entered_at: string; left_at: string | null; state: "waiting" | "passed" | "failed" | "exited"; way: string | null; reason: string | null; delivery_id: string | null; detail: Record<string, unknown> | null }[] }>;
    /** Retry the failed step of a run. `POST /api/v1/campaigns/:id/runs/:run_id/retry` */
    retryRun(id: string, runId: string, options?: RequestOptions): Promise<{ id: string; campaign_id: string; person_id: string | null; status: "active" | "completed" | "exited" | "failed" | "canceled"; reason: string | null; step_id: string | null; data: Record<string, unknown>; cancellation_key: string | null; entered_at: string; due_at: string | null; ended_at: string | null; history: { step_id: string; entered_at: string; left_at: string | null; state: "waiting" | "passed" | "failed" | "exited"; way: string | null; reason: string | null; delivery_id: string | null; detail: Record<string, unknown> | null }[] }>;
    /** End a run. `POST /api/v1/campaigns/:id/runs/:run_id/end` */
    endRun(id: string, runId: string, options?: RequestOptions): Promise<{ id: string; campaign_id: string; person_id: string | null; status: "active" | "completed" | "exited" | "failed" | "canceled"; reason: string | null; step_id: string | null; data: Record<string, unknown>; cancellation_key: string | null; entered_at: string; due_at: string | null; ended_at: string | null; history: { step_id: string; entered_at: string; left_at: string | null; state: "waiting" | "passed" | "failed" | "exited"; way: string | null; reason: string | null; delivery_id: string | null; detail: Record<string, unknown> | null }[] }>;
    /** Move the runs of a filter to another step. `POST /api/v1/campaigns/:id/runs/move` */
    moveRuns(id: string, body: { filter?: { person_id?: string; step?: string; state?: "entered" | "waiting" | "passed" | "failed" | "exited"; status?: "active" | "completed" | "exited" | "failed" | "canceled"; converted?: boolean; from?: string | Date; to?: string | Date }; all?: boolean; step_id: string }, options?: RequestOptions): Promise<{ changed: number; remaining: number }>;
    /** Skip the step at which the runs of a filter are. `POST /api/v1/campaigns/:id/runs/skip` */
    skipRuns(id: string, body: { filter?: { person_id?: string; step?: string; state?: "entered" | "waiting" | "passed" | "failed" | "exited"; status?: "active" | "completed" | "exited" | "failed" | "canceled"; converted?: boolean; from?: string | Date; to?: string | Date }; all?: boolean }, options?: RequestOptions): Promise<{ changed: number; remaining: number }>;
    /** Retry the failed steps of the runs of a filter. `POST /api/v1/campaigns/:id/runs/retry` */
    retryRuns(id: string, body: { filter?: { person_id?: string; step?: string; state?: "entered" | "waiting" | "passed" | "failed" | "exited"; status?: "active" | "completed" | "exited" | "failed" | "canceled"; converted?: boolean; from?: string | Date; to?: string | Date }; all?: boolean }, options?: RequestOptions): Promise<{ changed: number; remaining: number }>;
    /** End the active runs of a filter. `POST /api/v1/campaigns/:id/runs/end` */
    endRuns(id: string, body: { filter?: { person_id?: string; step?: string; state?: "entered" | "waiting" | "passed" | "failed" | "exited"; status?: "active" | "completed" | "exited" | "failed" | "canceled"; converted?: boolean; from?: string | Date; to?: string | Date }; all?: boolean }, options?: RequestOptions): Promise<{ changed: number; remaining: number }>;
    /** Simulate it for a person with made-up events on a virtual clock; nothing is written. `POST /api/v1/campaigns/:id/simulate` */
    simulate(id: string, body: { draft?: { trigger?: Trigger; reentry?: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps?: Step[]; entry_max_age?: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when?: StepFilter | null; goal?: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on?: { event: string; where?: PropertyFilter[] } | null }; person_id?: string; person?: Record<string, unknown>; lists?: string[]; events?: { at: string | Date; eventName?: string; properties?: Record<string, unknown>; step?: string; happened?: "seen" | "clicked" | "failed" }[]; responses?: Record<string, { status?: number; body?: unknown; error?: "timeout" | "not_connected" | "connection_lost" | "name_not_found" | "too_large" | "private_address"; retry_after?: number; first?: { status?: number; body?: unknown; error?: "timeout" | "not_connected" | "connection_lost" | "name_not_found" | "too_large" | "private_address"; retry_after?: number }[] }>; start?: string | Date; data?: Record<string, unknown> }, options?: RequestOptions): Promise<{ timeline: { at: string; kind: "event" | "entered" | "not_entered" | "step" | "wait" | "verdict" | "message" | "outcome" | "goal" | "ended"; run: number | null; step_id: string | null; step_type: "message" | "wait" | "wait_until" | "wait_window" | "branch" | "split" | "batch" | "throttle" | "update" | "list" | "webhook" | "start" | "exit" | null; text: string; asked: string | null; way: string | null; reason: string | null; because: { pass: boolean; text: string }[]; next_at: string | null; held_by?: "limit" | "window"; event?: { eventName: string; properties: Record<string, unknown> }; message?: { channel: "email" | "push" | "sms" | "in_app"; status: "sent" | "failed" | "held_out"; reason: string | null; variant: string | null; locale: string | null; to: string | null; content: Record<string, unknown> | null }; call?: { url: string; body: unknown; attempt: number; status: number | null; response: unknown; error?: string } }[]; stopped: "entries" | "until" | "too_long" | null }>;
    /** Count who would get each of its messages now, and who would not and why. `POST /api/v1/campaigns/:id/preflight` */
    preflight(id: string, options?: RequestOptions): Promise<{ who: "audience" | "event" | "date" | "everybody"; people: number; counted: number; estimate: boolean; messages: { step_id: string; step_position: number; channel: "email" | "push" | "sms" | "in_app"; will_receive: number; excluded: Record<string, number>; held_out: number; variants?: Record<string, { will_receive: number; excluded: Record<string, number> }>; locales?: Record<string, number>; waits: Record<string, number>; samples: Record<string, string[]> }[] }>;
    /** Count what it would have done with the real events of the last days; nothing is written. `POST /api/v1/campaigns/:id/replay` */
    replay(id: string, body: { days: number; draft?: { trigger?: Trigger; reentry?: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps?: Step[]; entry_max_age?: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when?: StepFilter | null; goal?: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on?: { event: string; where?: PropertyFilter[] } | null } }, options?: RequestOptions): Promise<{ from: string; to: string; people: number; simulated: number; estimate: boolean; entered: number; refused: Record<string, number>; status: Record<string, number>; steps: Record<string, { entered: number; waiting: number; passed: number; failed: number; exited: number; converted?: number; messages?: { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number; channels: Record<string, { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }> } }>; messages: { step_id: string; channel: "email" | "push" | "sms" | "in_app"; sent: number; failed: Record<string, number>; held_out: number }[]; goal?: { reached: number }; stopped: "events" | "too_long" | null }>;
  };
  catalog: {
    /** List the names of recorded events. `GET /api/v1/catalog/events` */
    events(query?: { limit?: number; cursor?: string; q?: string }, options?: RequestOptions): Promise<{ data: { name: string; first_seen: string; last_seen: string; recent_count: number }[]; next_cursor: string | null; full: boolean }>;
    /** Show an event of the catalog with its properties and their common values. `GET /api/v1/catalog/events/:name` */
    event(name: string, options?: RequestOptions): Promise<{ name: string; first_seen: string; last_seen: string; recent_count: number; properties: { name: string; types: ("string" | "number" | "boolean" | "object" | "array" | "time")[]; first_seen: string; last_seen: string; people: number; values: { value: string | number | boolean; people: number }[] }[]; full: boolean; sample: number }>;
    /** List the attributes of people, by name, with their common values. `GET /api/v1/catalog/attributes` */
    attributes(query?: { limit?: number; cursor?: string; q?: string }, options?: RequestOptions): Promise<{ data: { name: string; types: ("string" | "number" | "boolean" | "object" | "array" | "time")[]; first_seen: string; last_seen: string; people: number; values: { value: string | number | boolean; people: number }[] }[]; next_cursor: string | null; full: boolean; sample: number }>;
  };
  deliveries: {
    /** List deliveries, newest first. `GET /api/v1/deliveries` */
    list(query?: { limit?: number; cursor?: string; q?: string; status?: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "shown" | "dismissed" | "expired"; channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string; step?: string; variant?: string; reason?: string; person_id?: string; since?: string | Date; until?: string | Date; undetermined?: boolean; metric?: "sent" | "delivered" | "shown" | "opened" | "clicked" | "dismissed" | "bounced" | "unsubscribed" | "failed"; from?: string | Date; to?: string | Date; include?: "events"; sort?: "queued_at" | "-queued_at"; counts?: boolean }, options?: RequestOptions): Promise<{ data: { id: string; person_id: string | null; channel: "email" | "push" | "sms" | "in_app"; source: "transactional" | "broadcast" | "campaign" | "test"; source_id: string | null; source_name: string | null; message_name: string | null; step_id: string | null; step_position: number | null; variant: string | null; message_id: string | null; status: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "shown" | "dismissed" | "expired"; reason: string | null; recipient: string | null; priority: number; queued_at: string; due_at: string | null; sent_at: string | null; delivered_at: string | null; bounced_at: string | null; complained_at: string | null; unsubscribed_at: string | null; failed_at: string | null; shown_at: string | null; opened_at: string | null; clicked_at: string | null; dismissed_at: string | null; expires_at: string | null; impressions: number; attempts: number; provider: string | null; provider_message_id: string | null; events?: { type: string; at: string; data: Record<string, unknown> }[] }[]; next_cursor: string | null; counts?: { total: number; exact: boolean; by_status: { queued: number; sending: number; sent: number; delivered: number; bounced: number; complained: number; failed: number; suppressed: number; canceled: number; shown: number; dismissed: number; expired: number }; by_channel: { email: number; push: number; sms: number; in_app: number } } }>;
    /** Get a delivery with its events. `GET /api/v1/deliveries/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; person_id: string | null; channel: "email" | "push" | "sms" | "in_app"; source: "transactional" | "broadcast" | "campaign" | "test"; source_id: string | null; source_name: string | null; message_name: string | null; step_id: string | null; step_position: number | null; variant: string | null; message_id: string | null; status: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "shown" | "dismissed" | "expired"; reason: string | null; recipient: string | null; priority: number; queued_at: string; due_at: string | null; sent_at: string | null; delivered_at: string | null; bounced_at: string | null; complained_at: string | null; unsubscribed_at: string | null; failed_at: string | null; shown_at: string | null; opened_at: string | null; clicked_at: string | null; dismissed_at: string | null; expires_at: string | null; impressions: number; attempts: number; provider: string | null; provider_message_id: string | null; content: Record<string, unknown> | null; events: { type: string; at: string; data: Record<string, unknown> }[] }>;
    /** Export message activity as CSV. `GET /api/v1/deliveries/export` */
    export(query?: { channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string; step?: string; variant?: string; status?: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "shown" | "dismissed" | "expired"; reason?: string; person_id?: string; since?: string | Date; until?: string | Date; undetermined?: boolean; metric?: "sent" | "delivered" | "shown" | "opened" | "clicked" | "dismissed" | "bounced" | "unsubscribed" | "failed"; from?: string | Date; to?: string | Date }, options?: RequestOptions): Promise<string>;
    /** Export the events of deliveries as CSV. `GET /api/v1/deliveries/events/export` */
    eventsExport(query?: { channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string; step?: string; variant?: string; status?: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "shown" | "dismissed" | "expired"; reason?: string; person_id?: string; since?: string | Date; until?: string | Date; undetermined?: boolean; metric?: "sent" | "delivered" | "shown" | "opened" | "clicked" | "dismissed" | "bounced" | "unsubscribed" | "failed"; from?: string | Date; to?: string | Date; type?: string }, options?: RequestOptions): Promise<string>;
    /** Recall one in-app delivery. `POST /api/v1/deliveries/:id/recall` */
    recall(id: string, options?: RequestOptions): Promise<{ delivery_id: string; status: string; recalled: boolean }>;
    /** Send the same content to the same recipient again, as a new delivery. `POST /api/v1/deliveries/:id/resend` */
    resend(id: string, options?: RequestOptions): Promise<{ delivery_id: string }>;
    /** Cancel a delivery that is not sent yet. `POST /api/v1/deliveries/:id/cancel` */
    cancel(id: string, options?: RequestOptions): Promise<{ delivery_id: string; status: "canceled" }>;
  };
  emailLayouts: {
    /** List email layouts, newest first, without their bodies. `GET /api/v1/email-layouts` */
    list(query?: { limit?: number; cursor?: string; q?: string; sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name"; counts?: boolean }, options?: RequestOptions): Promise<{ data: { id: string; version: number; name: string; created_at: string; updated_at: string; format: "html" | "mjml" }[]; next_cursor: string | null; counts?: { total: number; exact: boolean } }>;
    /** Create an email layout around `{{ content }}`. `POST /api/v1/email-layouts` */
    create(body: { name: string; body: string; format?: "html" | "mjml" }, options?: RequestOptions): Promise<{ id: string; version: number; name: string; created_at: string; updated_at: string; body: string; format: "html" | "mjml"; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Get an email layout. `GET /api/v1/email-layouts/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; version: number; name: string; created_at: string; updated_at: string; body: string; format: "html" | "mjml"; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Change an email layout, and each template that uses it. `PATCH /api/v1/email-layouts/:id` */
    update(id: string, body: { name?: string; body?: string; format?: "html" | "mjml" }, options?: RequestOptions): Promise<{ id: string; version: number; name: string; created_at: string; updated_at: string; body: string; format: "html" | "mjml"; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Remove an email layout; 409 while a template uses it. `DELETE /api/v1/email-layouts/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
  };
  emailTemplates: {
    /** List email templates, newest first, without their long texts. `GET /api/v1/email-templates` */
    list(query?: { limit?: number; cursor?: string; q?: string; layout_id?: string; snippet?: string; sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name"; counts?: boolean }, options?: RequestOptions): Promise<{ data: { id: string; version: number; name: string; subject: string; preheader: string | null; format: "html" | "mjml"; layout_id: string | null; from: string | null; reply_to: string | null; snippets: string[]; created_at: string; updated_at: string }[]; next_cursor: string | null; counts?: { total: number; exact: boolean } }>;
    /** Create an email template of HTML or MJML. `POST /api/v1/email-templates` */
    create(body: { name: string; subject: string; body: string; format?: "html" | "mjml"; preheader?: string | null; plaintext?: string | null; layout_id?: string | null; from?: string | null; reply_to?: string | null }, options?: RequestOptions): Promise<{ id: string; version: number; name: string; subject: string; preheader: string | null; format: "html" | "mjml"; layout_id: string | null; from: string | null; reply_to: string | null; snippets: string[]; created_at: string; updated_at: string; body: string; plaintext: string | null; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Get an email template. `GET /api/v1/email-templates/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; version: number; name: string; subject: string; preheader: string | null; format: "html" | "mjml"; layout_id: string | null; from: string | null; reply_to: string | null; snippets: string[]; created_at: string; updated_at: string; body: string; plaintext: string | null; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Change the fields that are named, as a new version. `PATCH /api/v1/email-templates/:id` */
    update(id: string, body: { name?: string; subject?: string; body?: string; format?: "html" | "mjml"; preheader?: string | null; plaintext?: string | null; layout_id?: string | null; from?: string | null; reply_to?: string | null }, options?: RequestOptions): Promise<{ id: string; version: number; name: string; subject: string; preheader: string | null; format: "html" | "mjml"; layout_id: string | null; from: string | null; reply_to: string | null; snippets: string[]; created_at: string; updated_at: string; body: string; plaintext: string | null; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Remove an email template; 409 while something uses it. `DELETE /api/v1/email-templates/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** List its versions, newest first. `GET /api/v1/email-templates/:id/versions` */
    versions(id: string, query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { version: number; cause: "created" | "edited" | "restored" | "layout_changed" | "snippet_changed"; subject: string; format: "html" | "mjml"; created_at: string; created_by: { type: "api_key" | "member" | "command" | "system"; id: string | null; name: string } | null }[]; next_cursor: string | null }>;
    /** Get a version. `GET /api/v1/email-templates/:id/versions/:version` */
    version(id: string, version: number, options?: RequestOptions): Promise<{ version: number; cause: "created" | "edited" | "restored" | "layout_changed" | "snippet_changed"; subject: string; format: "html" | "mjml"; created_at: string; created_by: { type: "api_key" | "member" | "command" | "system"; id: string | null; name: string } | null; preheader: string | null; plaintext: string | null; layout_id: string | null; from: string | null; reply_to: string | null; body: string }>;
    /** Restore an old version's texts as a new version. `POST /api/v1/email-templates/:id/versions/:version/restore` */
    restoreVersion(id: string, version: number, options?: RequestOptions): Promise<{ id: string; version: number; name: string; subject: string; preheader: string | null; format: "html" | "mjml"; layout_id: string | null; from: string | null; reply_to: string | null; snippets: string[]; created_at: string; updated_at: string; body: string; plaintext: string | null; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Preview it for a person. `POST /api/v1/email-templates/:id/preview` */
    preview(id: string, body?: { person_id?: string; person?: Record<string, unknown>; message_data?: Record<string, unknown> }, options?: RequestOptions): Promise<{ version: number; subject: string; preheader: string | null; body: string; plaintext: string; from: string | null; reply_to: string | null; missing: string[] }>;
    /** Preview texts for a person before they are saved. `POST /api/v1/email-templates/preview-texts` */
    previewTexts(body: { subject?: string; body: string; format?: "html" | "mjml"; preheader?: string | null; plaintext?: string | null; layout_id?: string | null; from?: string | null; reply_to?: string | null; layout?: { body: string; format?: "html" | "mjml" }; snippet?: { name: string; body: string }; person_id?: string; person?: Record<string, unknown>; message_data?: Record<string, unknown> }, options?: RequestOptions): Promise<{ format: "html" | "mjml"; subject: string; preheader: string | null; body: string; plaintext: string; from: string | null; reply_to: string | null; missing: string[]; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Send it as a test, as one person would get it, to them or to another address. `POST /api/v1/email-templates/:id/test-sends` */
    testSends(id: string, body: { person_id: string; to?: string; message_data?: Record<string, unknown> }, options?: RequestOptions): Promise<{ delivery_id: string }>;
  };
  events: {
    /** Read the feed of all events, oldest first, without end. `GET /api/v1/events` */
    list(query?: { limit?: number; cursor?: string; types?: string }, options?: RequestOptions): Promise<{ data: { id: string; type: string; timestamp: string; data: { person_id: string | null; delivery_id: string | null; channel: "email" | "push" | "sms" | "in_app" | null; source: "transactional" | "broadcast" | "campaign" | "test" | null; source_id: string | null; step_id: string | null; variant: string | null; message_id: string | null; recipient: string | null; details: Record<string, unknown> } }[]; next_cursor: string; has_more: boolean }>;
  };
  exportDestinations: {
    /** List export destinations, newest first. `GET /api/v1/export-destinations` */
    list(query?: { limit?: number; cursor?: string; q?: string; kind?: "s3" | "clickhouse"; sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name"; counts?: boolean }, options?: RequestOptions): Promise<{ data: { id: string; name: string; kind: "s3" | "clickhouse"; settings: { bucket: string; region: string; endpoint?: string; prefix?: string; format?: "ndjson.gz" | "parquet" } | { url: string; database: string; table_prefix?: string; user: string }; credentials_changed_at: string | null; tables: ("deliveries" | "activity" | "events")[]; interval_seconds: number; enabled: boolean; created_at: string; updated_at: string }[]; next_cursor: string | null; counts?: { total: number; exact: boolean; by_kind: { s3: number; clickhouse: number } } }>;
    /** Add an export destination, to which deliveries, the log and events are streamed out. `POST /api/v1/export-destinations` */
    create(body: { name: string; kind: "s3" | "clickhouse"; settings: Record<string, unknown>; credentials: Record<string, unknown>; tables?: ("deliveries" | "activity" | "events")[]; from?: "beginning" | "now"; interval_seconds?: number }, options?: RequestOptions): Promise<{ id: string; name: string; kind: "s3" | "clickhouse"; settings: { bucket: string; region: string; endpoint?: string; prefix?: string; format?: "ndjson.gz" | "parquet" } | { url: string; database: string; table_prefix?: string; user: string }; credentials_changed_at: string | null; tables: ("deliveries" | "activity" | "events")[]; interval_seconds: number; enabled: boolean; created_at: string; updated_at: string }>;
    /** Get an export destination. `GET /api/v1/export-destinations/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; name: string; kind: "s3" | "clickhouse"; settings: { bucket: string; region: string; endpoint?: string; prefix?: string; format?: "ndjson.gz" | "parquet" } | { url: string; database: string; table_prefix?: string; user: string }; credentials_changed_at: string | null; tables: ("deliveries" | "activity" | "events")[]; interval_seconds: number; enabled: boolean; created_at: string; updated_at: string }>;
    /** Change, pause or resume an export destination. `PATCH /api/v1/export-destinations/:id` */
    update(id: string, body: { name?: string; settings?: Record<string, unknown>; credentials?: Record<string, unknown>; interval_seconds?: number; enabled?: boolean }, options?: RequestOptions): Promise<{ id: string; name: string; kind: "s3" | "clickhouse"; settings: { bucket: string; region: string; endpoint?: string; prefix?: string; format?: "ndjson.gz" | "parquet" } | { url: string; database: string; table_prefix?: string; user: string }; credentials_changed_at: string | null; tables: ("deliveries" | "activity" | "events")[]; interval_seconds: number; enabled: boolean; created_at: string; updated_at: string }>;
    /** Remove an export destination; what was sent stays there. `DELETE /api/v1/export-destinations/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** Show how far each table of an export destination is, and why it fails. `GET /api/v1/export-destinations/:id/state` */
    state(id: string, options?: RequestOptions): Promise<{ status: "ok" | "failing" | "paused"; lag_seconds: number | null; streams: { table: "deliveries" | "activity" | "events"; phase: "old" | "log"; lag_seconds: number | null; rows_sent: number; batches_sent: number; last_sent_at: string | null; failing_since: string | null; last_error: string | null; gap: { from: string; until: string } | null }[] }>;
    /** Write and delete a test object, or ask ClickHouse for the tables, and show what the far end says. `POST /api/v1/export-destinations/:id/test` */
    test(id: string, options?: RequestOptions): Promise<{ ok: boolean; error: string | null; duration_ms: number }>;
  };
  health: {
    /** Show whether anything holds up sending: what waits, providers that rest, the database. `GET /api/v1/health` */
    get(options?: RequestOptions): Promise<{ queues: { channel: "email" | "push" | "sms"; waiting: number; oldest_due_at: string }[]; exact: boolean; providers: { ok: number; resting: number; slow: number }; database: { answered_ms: number; accepts_writes: boolean } }>;
  };
  imports: {
    /** List imports, under way and finished, newest first. `GET /api/v1/imports` */
    list(query?: { limit?: number; cursor?: string; kind?: "audience" | "suppressions"; target?: string; status?: "running" | "done" | "failed" | "cut_off" }, options?: RequestOptions): Promise<{ data: { id: string; kind: "audience" | "suppressions"; target: string | null; status: "running" | "done" | "failed" | "cut_off"; bytes: number; bytes_read: number; rows: number; added: number; known: number; refused: number; errors: { line: number; message: string }[]; reason: string | null; started_at: string; finished_at: string | null }[]; next_cursor: string | null }>;
    /** Show the progress of an import. `GET /api/v1/imports/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; kind: "audience" | "suppressions"; target: string | null; status: "running" | "done" | "failed" | "cut_off"; bytes: number; bytes_read: number; rows: number; added: number; known: number; refused: number; errors: { line: number; message: string }[]; reason: string | null; started_at: string; finished_at: string | null }>;
  };
  inApp: {
    /** List unknown ids that devices synced with in the last hour, the latest first; of this process. `GET /api/v1/in-app/near-misses` */
    nearMisses(options?: RequestOptions): Promise<{ data: { person_id: string; screen: string | null; last_seen: string; count: number }[] }>;
  };
  inAppMessages: {
    /** List in-app messages, newest first, without their bodies. `GET /api/v1/in-app-messages` */
    list(query?: { limit?: number; cursor?: string; q?: string; render_type?: "modal" | "banner" | "inline" | "inbox_card"; sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name"; counts?: boolean }, options?: RequestOptions): Promise<{ data: { id: string; version: number; name: string; render_type: "modal" | "banner" | "inline" | "inbox_card"; title: string | null; image_url: string | null; cta: { label: string; action: "deep_link" | "dismiss" | "custom"; value: string | null } | null; priority: number; expiry: { amount: number; unit: "minutes" | "hours" | "days" } | null; screens: { include: string[]; exclude: string[] }; quiet_hours: { enabled: boolean; timezone_mode: "workspace" | "device"; start: string; end: string } | null; persistence: { mode: "one_time" | "persistent_until_dismissed"; per: "person" | "delivery"; max_impressions: number | null; min_interval: { amount: number; unit: "minutes" | "hours" | "days" } | null }; created_at: string; updated_at: string }[]; next_cursor: string | null; counts?: { total: number; exact: boolean; by_render_type: { modal: number; banner: number; inline: number; inbox_card: number } } }>;
    /** Define an in-app message. `POST /api/v1/in-app-messages` */
    create(body: { name: string; render_type: "modal" | "banner" | "inline" | "inbox_card"; title?: string | null; body: string; image_url?: string | null; cta?: { label: string; action: "deep_link" | "dismiss" | "custom"; value?: string | null } | null; priority?: number; expiry?: { amount: number; unit: "minutes" | "hours" | "days" } | null; screens?: { include?: string[]; exclude?: string[] } | null; quiet_hours?: { enabled?: boolean; timezone_mode?: "workspace" | "device"; start?: string; end?: string } | null; persistence?: { mode?: "one_time" | "persistent_until_dismissed"; per?: "person" | "delivery"; max_impressions?: number | null; min_interval?: { amount: number; unit: "minutes" | "hours" | "days" } | null } | null }, options?: RequestOptions): Promise<{ id: string; version: number; name: string; render_type: "modal" | "banner" | "inline" | "inbox_card"; title: string | null; body: string; image_url: string | null; cta: { label: string; action: "deep_link" | "dismiss" | "custom"; value: string | null } | null; priority: number; expiry: { amount: number; unit: "minutes" | "hours" | "days" } | null; screens: { include: string[]; exclude: string[] }; quiet_hours: { enabled: boolean; timezone_mode: "workspace" | "device"; start: string; end: string } | null; persistence: { mode: "one_time" | "persistent_until_dismissed"; per: "person" | "delivery"; max_impressions: number | null; min_interval: { amount: number; unit: "minutes" | "hours" | "days" } | null }; warnings: { code: "screen_near_miss"; message: string; field: string }[]; used_by: { type: "broadcast" | "campaign"; id: string; name: string }[]; created_at: string; updated_at: string }>;
    /** Get an in-app message, with its uses. `GET /api/v1/in-app-messages/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; version: number; name: string; render_type: "modal" | "banner" | "inline" | "inbox_card"; title: string | null; body: string; image_url: string | null; cta: { label: string; action: "deep_link" | "dismiss" | "custom"; value: string | null } | null; priority: number; expiry: { amount: number; unit: "minutes" | "hours" | "days" } | null; screens: { include: string[]; exclude: string[] }; quiet_hours: { enabled: boolean; timezone_mode: "workspace" | "device"; start: string; end: string } | null; persistence: { mode: "one_time" | "persistent_until_dismissed"; per: "person" | "delivery"; max_impressions: number | null; min_interval: { amount: number; unit: "minutes" | "hours" | "days" } | null }; warnings: { code: "screen_near_miss"; message: string; field: string }[]; used_by: { type: "broadcast" | "campaign"; id: string; name: string }[]; created_at: string; updated_at: string }>;
    /** Change the fields that are named, as a new version. `PATCH /api/v1/in-app-messages/:id` */
    update(id: string, body: { name?: string; render_type?: "modal" | "banner" | "inline" | "inbox_card"; title?: string | null; body?: string; image_url?: string | null; cta?: { label?: string; action?: "deep_link" | "dismiss" | "custom"; value?: string | null } | null; priority?: number; expiry?: { amount: number; unit: "minutes" | "hours" | "days" } | null; screens?: { include?: string[]; exclude?: string[] } | null; quiet_hours?: { enabled?: boolean; timezone_mode?: "workspace" | "device"; start?: string; end?: string } | null; persistence?: { mode?: "one_time" | "persistent_until_dismissed"; per?: "person" | "delivery"; max_impressions?: number | null; min_interval?: { amount: number; unit: "minutes" | "hours" | "days" } | null } | null }, options?: RequestOptions): Promise<{ id: string; version: number; name: string; render_type: "modal" | "banner" | "inline" | "inbox_card"; title: string | null; body: string; image_url: string | null; cta: { label: string; action: "deep_link" | "dismiss" | "custom"; value: string | null } | null; priority: number; expiry: { amount: number; unit: "minutes" | "hours" | "days" } | null; screens: { include: string[]; exclude: string[] }; quiet_hours: { enabled: boolean; timezone_mode: "workspace" | "device"; start: string; end: string } | null; persistence: { mode: "one_time" | "persistent_until_dismissed"; per: "person" | "delivery"; max_impressions: number | null; min_interval: { amount: number; unit: "minutes" | "hours" | "days" } | null }; warnings: { code: "screen_near_miss"; message: string; field: string }[]; used_by: { type: "broadcast" | "campaign"; id: string; name: string }[]; created_at: string; updated_at: string }>;
    /** Remove a message; 409 while something uses it. `DELETE /api/v1/in-app-messages/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** Preview a message that is not saved. `POST /api/v1/in-app-messages/preview-draft` */
    previewDraft(body: { message: { name: string; render_type: "modal" | "banner" | "inline" | "inbox_card"; title?: string | null; body: string; image_url?: string | null; cta?: { label: string; action: "deep_link" | "dismiss" | "custom"; value?: string | null } | null; priority?: number; expiry?: { amount: number; unit: "minutes" | "hours" | "days" } | null; screens?: { include?: string[]; exclude?: string[] } | null; quiet_hours?: { enabled?: boolean; timezone_mode?: "workspace" | "device"; start?: string; end?: string } | null; persistence?: { mode?: "one_time" | "persistent_until_dismissed"; per?: "person" | "delivery"; max_impressions?: number | null; min_interval?: { amount: number; unit: "minutes" | "hours" | "days" } | null } | null }; person_id?: string; person?: Record<string, unknown>; trigger?: Record<string, unknown> }, options?: RequestOptions): Promise<{ render_type: "modal" | "banner" | "inline" | "inbox_card"; priority: number; content: { title: string | null; body: string; image_url: string | null }; ctas: { id: string; label: string; action: "deep_link" | "dismiss" | "custom"; value?: string }[]; persistence: { mode: "one_time" | "persistent_until_dismissed"; max_impressions_total?: number; min_interval_seconds?: number }; left_out: string[] }>;
    /** Preview it for a person. `POST /api/v1/in-app-messages/:id/preview` */
    preview(id: string, body?: { person_id?: string; person?: Record<string, unknown>; trigger?: Record<string, unknown> }, options?: RequestOptions): Promise<{ message_id: string; render_type: "modal" | "banner" | "inline" | "inbox_card"; priority: number; content: { title: string | null; body: string; image_url: string | null }; ctas: { id: string; label: string; action: "deep_link" | "dismiss" | "custom"; value?: string }[]; persistence: { mode: "one_time" | "persistent_until_dismissed"; max_impressions_total?: number; min_interval_seconds?: number }; left_out: string[] }>;
    /** Queue it for one person. `POST /api/v1/in-app-messages/:id/test-sends` */
    testSends(id: string, body: { person_id: string; trigger?: Record<string, unknown> }, options?: RequestOptions): Promise<{ delivery_id: string }>;
    /** Trace a test send: queued, fetched, shown, and which gate holds it back. `GET /api/v1/in-app-messages/:id/test-sends/:delivery_id` */
    testSend(id: string, deliveryId: string, query?: { screen?: string; timezone?: string; tz_offset_minutes?: number; at?: string | Date }, options?: RequestOptions): Promise<{ delivery_id: string; message_id: string; person_id: string | null; status: string; queued_at: string; fetched_at: string | null; shown_at: string | null; clicked_at: string | null; dismissed_at: string | null; expires_at: string | null; held_by: { gate: "screen" | "quiet_hours" | "expiry" | "impressions" | "interval" | "cap" | "status"; detail: string; facts?: { screen?: string | null; include?: string[]; exclude?: string[]; nearly?: string[]; quiet?: { start: string; end: string; clock: "workspace" | "device"; shows: string } | null; expires_at?: string | null; impressions?: number; max_impressions?: number | null; until?: string | null; exempt?: boolean; status?: string } }[]; next_eligible_at: string | null; last_sync: { at: string; screen: string | null; timezone: string | null; tz_offset_minutes: number | null; returned: boolean; held_by: { gate: "screen" | "quiet_hours" | "expiry" | "impressions" | "interval" | "cap" | "status"; detail: string; facts?: { screen?: string | null; include?: string[]; exclude?: string[]; nearly?: string[]; quiet?: { start: string; end: string; clock: "workspace" | "device"; shows: string } | null; expires_at?: string | null; impressions?: number; max_impressions?: number | null; until?: string | null; exempt?: boolean; status?: string } }[] } | null }>;
    /** Recall its deliveries that are not dismissed; open applications remove them at once. `POST /api/v1/in-app-messages/:id/recall` */
    recall(id: string, options?: RequestOptions): Promise<{ recalled: number; more: boolean }>;
  };
  ingestion: {
    /** List data that ingestion refused or ignored, newest first, with the reason. `GET /api/v1/ingestion/rejected` */
    rejected(query?: { limit?: number; cursor?: string; code?: string; route?: string; person_id?: string; since?: string | Date; until?: string | Date }, options?: RequestOptions): Promise<{ data: { id: string; at: string; route: string; item: number | null; request_id: string; person_id: string | null; code: string; reason: string; errors: { pointer?: string; parameter?: string; message: string }[]; data: unknown }[]; next_cursor: string | null }>;
    /** Get one item that ingestion refused or ignored. `GET /api/v1/ingestion/rejected/:id` */
    rejectedItem(id: string, options?: RequestOptions): Promise<{ id: string; at: string; route: string; item: number | null; request_id: string; person_id: string | null; code: string; reason: string; errors: { pointer?: string; parameter?: string; message: string }[]; data: unknown }>;
    /** Count what ingestion refused or ignored, by route and code. `GET /api/v1/ingestion/rejected/counts` */
    rejectedCounts(query?: { since?: string | Date }, options?: RequestOptions): Promise<{ since: string; rejected: number; data: { route: string; code: string; rejected: number; not_kept: number; last_at: string }[] }>;
  };
  media: {
    /** List images, newest first. `GET /api/v1/media` */
    list(query?: { limit?: number; cursor?: string; q?: string; kind?: "png" | "jpeg" | "gif" | "webp"; sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name" | "bytes" | "-bytes"; counts?: boolean }, options?: RequestOptions): Promise<{ data: { id: string; name: string; alt: string | null; kind: "png" | "jpeg" | "gif" | "webp"; url: string; thumbnail_url: string; file: string; thumbnail_file: string; width: number; height: number; frames: number; bytes: number; created_at: string; updated_at: string }[]; next_cursor: string | null; counts?: { total: number; exact: boolean; by_kind: { png: number; jpeg: number; gif: number; webp: number } } }>;
    /** Upload an image. `POST /api/v1/media` */
    upload(form: { file: Blob; name?: string; alt?: string }, options?: RequestOptions): Promise<{ id: string; name: string; alt: string | null; kind: "png" | "jpeg" | "gif" | "webp"; url: string; thumbnail_url: string; file: string; thumbnail_file: string; width: number; height: number; frames: number; bytes: number; created_at: string; updated_at: string }>;
    /** Get an image. `GET /api/v1/media/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; name: string; alt: string | null; kind: "png" | "jpeg" | "gif" | "webp"; url: string; thumbnail_url: string; file: string; thumbnail_file: string; width: number; height: number; frames: number; bytes: number; created_at: string; updated_at: string }>;
    /** Change the name or the alternative text of an image. `PATCH /api/v1/media/:id` */
    update(id: string, body: { name?: string; alt?: string | null }, options?: RequestOptions): Promise<{ id: string; name: string; alt: string | null; kind: "png" | "jpeg" | "gif" | "webp"; url: string; thumbnail_url: string; file: string; thumbnail_file: string; width: number; height: number; frames: number; bytes: number; created_at: string; updated_at: string }>;
    /** Remove an image; messages that show it then lack it. `DELETE /api/v1/media/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** List what shows an image: templates and their parts, and messages. `GET /api/v1/media/:id/users` */
    users(id: string, options?: RequestOptions): Promise<{ data: { type: "email_template" | "email_layout" | "snippet" | "transactional" | "in_app_message" | "broadcast" | "campaign"; id: string; name: string }[] }>;
  };
  members: {
    /** List the members of the workspace and the open invitations, newest first. `GET /api/v1/members` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { id: string; email: string; name: string | null; role: "owner" | "editor" | "viewer"; status: "active" | "invited"; second_factor: boolean; invitation_expires_at: string | null; created_at: string; etag: string }[]; next_cursor: string | null }>;
    /** Invite somebody; the link is mailed where the workspace has a real email provider. `POST /api/v1/members` */
    create(body: { email: string; role: "owner" | "editor" | "viewer" }, options?: RequestOptions): Promise<{ id: string; email: string; name: string | null; role: "owner" | "editor" | "viewer"; status: "active" | "invited"; second_factor: boolean; invitation_expires_at: string | null; created_at: string; invite_url: string; mailed: boolean }>;
    /** Get a member. `GET /api/v1/members/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; email: string; name: string | null; role: "owner" | "editor" | "viewer"; status: "active" | "invited"; second_factor: boolean; invitation_expires_at: string | null; created_at: string }>;
    /** Change the role of a member. `PATCH /api/v1/members/:id` */
    update(id: string, body: { role: "owner" | "editor" | "viewer" }, options?: RequestOptions): Promise<{ id: string; email: string; name: string | null; role: "owner" | "editor" | "viewer"; status: "active" | "invited"; second_factor: boolean; invitation_expires_at: string | null; created_at: string }>;
    /** Remove a member from the workspace, or take an invitation back. `DELETE /api/v1/members/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
  };
  oidc: {
    /** Get the identity provider of the workspace. `GET /api/v1/oidc` */
    get(options?: RequestOptions): Promise<{ issuer: string; client_id: string; role_mapping: { claim: string; roles: { owner?: string[]; editor?: string[]; viewer?: string[] }; otherwise?: "owner" | "editor" | "viewer" | null } | null; client_secret_changed_at: string | null; redirect_uri: string; start_url: string }>;
    /** Set the identity provider of the workspace. `PUT /api/v1/oidc` */
    put(body: { issuer: string; client_id: string; role_mapping: { claim: string; roles: { owner?: string[]; editor?: string[]; viewer?: string[] }; otherwise?: "owner" | "editor" | "viewer" | null } | null; client_secret?: string }, options?: RequestOptions): Promise<{ issuer: string; client_id: string; role_mapping: { claim: string; roles: { owner?: string[]; editor?: string[]; viewer?: string[] }; otherwise?: "owner" | "editor" | "viewer" | null } | null; client_secret_changed_at: string | null; redirect_uri: string; start_url: string }>;
    /** Remove the identity provider of the workspace. `DELETE /api/v1/oidc` */
    remove(options?: RequestOptions): Promise<void>;
  };
  outbox: {
    /** List the messages that the local provider captured instead of sending, newest first. `GET /api/v1/outbox` */
    list(query?: { limit?: number; cursor?: string; channel?: "email" | "push" | "sms"; recipient?: string }, options?: RequestOptions): Promise<{ data: { id: string; delivery_id: string; channel: "email" | "push" | "sms"; recipient: string; message: Record<string, unknown>; captured_at: string }[]; next_cursor: string | null }>;
  };
  people: {
    /** List people, the last changed first. `GET /api/v1/people` */
    list(query?: { limit?: number; cursor?: string; q?: string; sort?: "updated_at" | "-updated_at" | "created_at" | "-created_at" | "email" | "-email"; counts?: boolean }, options?: RequestOptions): Promise<{ data: { person_id: string; email: string | null; phone: string | null; email_verified: boolean; phone_verified: boolean; claimed_email: string | null; claimed_phone: string | null; timezone: string | null; locale: string | null; subscribed: boolean; attributes: Record<string, unknown>; created_at: string; updated_at: string }[]; next_cursor: string | null; counts?: { total: number; exact: boolean } }>;
    /** Get a person. `GET /api/v1/people/:person_id` */
    get(personId: string, options?: RequestOptions): Promise<{ person_id: string; email: string | null; phone: string | null; email_verified: boolean; phone_verified: boolean; claimed_email: string | null; claimed_phone: string | null; timezone: string | null; locale: string | null; subscribed: boolean; attributes: Record<string, unknown>; created_at: string; updated_at: string }>;
    /** Erase a person: sent messages still count, without data about the person. `DELETE /api/v1/people/:person_id` */
    remove(personId: string, options?: RequestOptions): Promise<void>;
    /** Export everything that is stored about a person, as one JSON object. `GET /api/v1/people/:person_id/export` */
    export(personId: string, options?: RequestOptions): Promise<Record<string, unknown>>;
    /** List a person's devices. `GET /api/v1/people/:person_id/devices` */
    devices(personId: string, options?: RequestOptions): Promise<{ data: { id: string; platform: "ios" | "android" | "web"; token: string; app_version: string | null; created_at: string; last_used_at: string; disabled_at: string | null }[]; next_cursor: null }>;
    /** List the events of a person, newest first. `GET /api/v1/people/:person_id/events` */
    events(personId: string, query?: { limit?: number; cursor?: string; name?: string; since?: string | Date; until?: string | Date }, options?: RequestOptions): Promise<{ data: { id: string; name: string; properties: Record<string, unknown>; ts: string; received_at: string }[]; next_cursor: string | null }>;
    /** Show the log of a person, newest first. `GET /api/v1/people/:person_id/activity` */
    activity(personId: string, query?: { limit?: number; cursor?: string; channel?: "email" | "push" | "sms" | "in_app"; type?: string; since?: string | Date; until?: string | Date }, options?: RequestOptions): Promise<{ data: { id: string; type: string; at: string; delivery_id: string | null; channel: "email" | "push" | "sms" | "in_app" | null; source: "transactional" | "broadcast" | "campaign" | "test" | null; source_id: string | null; step_id: string | null; message_id: string | null; data: Record<string, unknown> }[]; next_cursor: string | null }>;
    /** Show all that happened to a person in one order, newest first. `GET /api/v1/people/:person_id/timeline` */
    timeline(personId: string, query?: { limit?: number; cursor?: string; types?: string; since?: string | Date; until?: string | Date }, options?: RequestOptions): Promise<{ data: { id: string; type: string; at: string; delivery_id: string | null; channel: "email" | "push" | "sms" | "in_app" | null; source: "transactional" | "broadcast" | "campaign" | "test" | null; source_id: string | null; step_id: string | null; message_id: string | null; data: Record<string, unknown>; source_name: string | null; message_name: string | null; status: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "shown" | "dismissed" | "expired" | null }[]; next_cursor: string | null }>;
    /** Export the log of a person as CSV. `GET /api/v1/people/:person_id/activity/export` */
    activityExport(personId: string, query?: { channel?: "email" | "push" | "sms" | "in_app"; type?: string; since?: string | Date; until?: string | Date }, options?: RequestOptions): Promise<string>;
    /** Merge a person into another one, who stays. `POST /api/v1/people/:person_id/merge` */
    merge(personId: string, body: { into: string }, options?: RequestOptions): Promise<{ person_id: string; email: string | null; phone: string | null; email_verified: boolean; phone_verified: boolean; claimed_email: string | null; claimed_phone: string | null; timezone: string | null; locale: string | null; subscribed: boolean; attributes: Record<string, unknown>; created_at: string; updated_at: string }>;
    /** Show what a person is subscribed to. `GET /api/v1/people/:person_id/subscriptions` */
    subscriptions(personId: string, options?: RequestOptions): Promise<{ person_id: string; subscribed: boolean; channels: { email: boolean; push: boolean; sms: boolean; in_app: boolean }; topics: Record<string, boolean>; suppressed: { channel: "email" | "sms"; reason: "hard_bounce" | "complaint" | "manual" | "stop" }[] }>;
    /** Change what a person is subscribed to. `PATCH /api/v1/people/:person_id/subscriptions` */
    updateSubscriptions(personId: string, body: { subscribed?: boolean; channels?: { email?: boolean; push?: boolean; sms?: boolean; in_app?: boolean }; topics?: Record<string, boolean> }, options?: RequestOptions): Promise<{ person_id: string; subscribed: boolean; channels: { email: boolean; push: boolean; sms: boolean; in_app: boolean }; topics: Record<string, boolean>; suppressed: { channel: "email" | "sms"; reason: "hard_bounce" | "complaint" | "manual" | "stop" }[] }>;
    /** Explain for each live in-app message of a person why it shows on this screen now, or does not. `GET /api/v1/people/:person_id/in-app` */
    inApp(personId: string, query?: { limit?: number; cursor?: string; screen?: string; timezone?: string; tz_offset_minutes?: number; at?: string | Date }, options?: RequestOptions): Promise<{ data: { delivery_id: string; message_id: string; eligible: boolean; reason: string | null; gates: { gate: "screen" | "quiet_hours" | "expiry" | "impressions" | "interval" | "cap" | "status"; pass: boolean; detail: string; facts: { screen?: string | null; include?: string[]; exclude?: string[]; nearly?: string[]; quiet?: { start: string; end: string; clock: "workspace" | "device"; shows: string } | null; expires_at?: string | null; impressions?: number; max_impressions?: number | null; until?: string | null; exempt?: boolean; status?: string } }[]; next_eligible_at: string | null }[]; next_cursor: string | null }>;
    /** List the runs of a person in all campaigns, latest first. `GET /api/v1/people/:person_id/runs` */
    runs(personId: string, query?: { limit?: number; cursor?: string; status?: "active" | "completed" | "exited" | "failed" | "canceled" }, options?: RequestOptions): Promise<{ data: { id: string; campaign_id: string; person_id: string | null; status: "active" | "completed" | "exited" | "failed" | "canceled"; reason: string | null; step_id: string | null; data: Record<string, unknown>; cancellation_key: string | null; entered_at: string; due_at: string | null; ended_at: string | null; campaign_name: string }[]; next_cursor: string | null }>;
  };
  providers: {
    /** List providers, newest first. `GET /api/v1/providers` */
    list(query?: { limit?: number; cursor?: string; q?: string; channel?: "email" | "push" | "sms"; sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name"; counts?: boolean }, options?: RequestOptions): Promise<{ data: { id: string; name: string; channel: "email" | "push" | "sms"; kind: string; priority: number; rate_per_second: number | null; settings: Record<string, unknown>; has_credentials: boolean; credentials_changed_at: string | null; callback_url: string | null; state: { status: "ok" | "resting" | "slow"; until?: string; reason?: string }; created_at: string; updated_at: string }[]; next_cursor: string | null; counts?: { total: number; exact: boolean; by_channel: { email: number; push: number; sms: number } } }>;
    /** Add a provider. `POST /api/v1/providers` */
    create(body: { name: string; channel: "email" | "push" | "sms"; kind: "local" | "smtp" | "ses" | "postmark" | "resend" | "sendgrid" | "mailgun" | "twilio" | "vonage" | "http" | "fcm" | "apns" | "webpush"; priority?: number; rate_per_second?: number | null; settings?: Record<string, unknown>; credentials?: Record<string, unknown> }, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms"; kind: string; priority: number; rate_per_second: number | null; settings: Record<string, unknown>; has_credentials: boolean; credentials_changed_at: string | null; callback_url: string | null; state: { status: "ok" | "resting" | "slow"; until?: string; reason?: string }; created_at: string; updated_at: string }>;
    /** Get a provider. `GET /api/v1/providers/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms"; kind: string; priority: number; rate_per_second: number | null; settings: Record<string, unknown>; has_credentials: boolean; credentials_changed_at: string | null; callback_url: string | null; state: { status: "ok" | "resting" | "slow"; until?: string; reason?: string }; created_at: string; updated_at: string }>;
    /** Change a provider. `PATCH /api/v1/providers/:id` */
    update(id: string, body: { name?: string; priority?: number; rate_per_second?: number | null; settings?: ProviderSettings; credentials?: ProviderCredentials }, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms"; kind: string; priority: number; rate_per_second: number | null; settings: Record<string, unknown>; has_credentials: boolean; credentials_changed_at: string | null; callback_url: string | null; state: { status: "ok" | "resting" | "slow"; until?: string; reason?: string }; created_at: string; updated_at: string }>;
    /** Remove a provider. `DELETE /api/v1/providers/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** Put the providers of a channel into an order, all in one call. `POST /api/v1/providers/order` */
    order(body: { channel: "email" | "push" | "sms"; providers: string[] }, options?: RequestOptions): Promise<{ data: { id: string; name: string; channel: "email" | "push" | "sms"; kind: string; priority: number; rate_per_second: number | null; settings: Record<string, unknown>; has_credentials: boolean; credentials_changed_at: string | null; callback_url: string | null; state: { status: "ok" | "resting" | "slow"; until?: string; reason?: string }; created_at: string; updated_at: string }[] }>;
    /** Test a provider. `POST /api/v1/providers/:id/test` */
    test(id: string, body?: { to?: string }, options?: RequestOptions): Promise<{ ok: boolean; detail: string; conversation: { by: "us" | "them" | "note"; text: string; ms: number }[] }>;
  };
  screens: {
    /** List the screen catalog, by name, with look-alikes and the messages that use them where `include` asks for them. `GET /api/v1/screens` */
    list(query?: { limit?: number; cursor?: string; q?: string; include?: "usage" }, options?: RequestOptions): Promise<{ data: { name: string; first_seen: string; last_seen: string; similar?: string[]; used_by?: { id: string; name: string; rule: "include" | "exclude" }[] }[]; next_cursor: string | null }>;
  };
  senderDomains: {
    /** List the domains that the workspace's settings send email from. `GET /api/v1/sender-domains` */
    list(options?: RequestOptions): Promise<{ data: { domain: string; used_by: ("default_sender" | "bounce_mailbox" | "provider")[] }[]; next_cursor: string | null }>;
    /** Look up SPF, DKIM, DMARC and MX of a domain that the workspace sends from, and explain them. `GET /api/v1/sender-domains/:domain` */
    get(domain: string, query?: { selector?: string }, options?: RequestOptions): Promise<{ domain: string; checked_at: string; verdict: "good" | "warning" | "bad" | "unknown"; checks: { what: "spf" | "dkim" | "dmarc" | "mx"; verdict: "good" | "warning" | "bad" | "unknown"; records: { name: string; type: "TXT" | "MX"; value: string }[]; findings: { code: "unanswered" | "spf_missing" | "spf_several" | "spf_syntax" | "spf_lookups_many" | "spf_lookups" | "spf_include_present" | "spf_include_missing" | "spf_include_broken" | "spf_own_envelope" | "spf_own_server" | "spf_ptr" | "spf_all_hard" | "spf_all_soft" | "spf_all_neutral" | "spf_all_pass" | "spf_all_none" | "dkim_found" | "dkim_short" | "dkim_revoked" | "dkim_testing" | "dkim_invalid" | "dkim_missing" | "dkim_unknown" | "dkim_ask" | "dmarc_missing" | "dmarc_several" | "dmarc_syntax" | "dmarc_inherited" | "dmarc_none" | "dmarc_quarantine" | "dmarc_reject" | "dmarc_part" | "dmarc_no_reports" | "dmarc_aligned_spf" | "dmarc_aligned_dkim" | "dmarc_unaligned" | "mx_found" | "mx_missing" | "mx_null"; verdict: "good" | "warning" | "bad" | "unknown"; message: string; values: Record<string, string> }[]; publish: { name: string; type: "TXT" | "MX"; value: string }[] }[] }>;
  };
  signingSecrets: {
    /** List signing secrets, newest first. `GET /api/v1/signing-secrets` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { kid: string; created_at: string; revoked_at: string | null }[]; next_cursor: string | null }>;
    /** Create a signing secret for person tokens; two may be valid at once. `POST /api/v1/signing-secrets` */
    create(body?: Record<string, unknown>, options?: RequestOptions): Promise<{ kid: string; created_at: string; revoked_at: string | null; secret: string }>;
    /** Revoke a signing secret, and the tokens that it signed. `DELETE /api/v1/signing-secrets/:kid` */
    remove(kid: string, options?: RequestOptions): Promise<void>;
  };
  snippets: {
    /** List snippets, newest first, without their bodies. `GET /api/v1/snippets` */
    list(query?: { limit?: number; cursor?: string; q?: string; sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name"; counts?: boolean }, options?: RequestOptions): Promise<{ data: { id: string; version: number; name: string; created_at: string; updated_at: string }[]; next_cursor: string | null; counts?: { total: number; exact: boolean } }>;
    /** Create a snippet, for `{% snippet "name" %}`. `POST /api/v1/snippets` */
    create(body: { name: string; body: string }, options?: RequestOptions): Promise<{ id: string; version: number; name: string; created_at: string; updated_at: string; body: string; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Get a snippet. `GET /api/v1/snippets/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; version: number; name: string; created_at: string; updated_at: string; body: string; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Change a snippet, and each template that uses it. `PATCH /api/v1/snippets/:id` */
    update(id: string, body: { body: string }, options?: RequestOptions): Promise<{ id: string; version: number; name: string; created_at: string; updated_at: string; body: string; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Remove a snippet; 409 while something uses it. `DELETE /api/v1/snippets/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
  };
  suppressions: {
    /** List suppressed addresses, newest first. `GET /api/v1/suppressions` */
    list(query?: { limit?: number; cursor?: string; channel?: "email" | "sms"; reason?: "hard_bounce" | "complaint" | "manual" | "stop"; q?: string }, options?: RequestOptions): Promise<{ data: { channel: "email" | "sms"; address: string | null; reason: "hard_bounce" | "complaint" | "manual" | "stop"; source: string; created_at: string; etag: string }[]; next_cursor: string | null }>;
    /** Add an address to the suppression list. `POST /api/v1/suppressions` */
    create(body: { channel: "email" | "sms"; address: string; reason?: "hard_bounce" | "complaint" | "manual" | "stop" }, options?: RequestOptions): Promise<{ channel: "email" | "sms"; address: string | null; reason: "hard_bounce" | "complaint" | "manual" | "stop"; source: string; created_at: string }>;
    /** Remove an address from the suppression list. `DELETE /api/v1/suppressions` */
    remove(query: { channel: "email" | "sms"; address: string }, options?: RequestOptions): Promise<void>;
    /** Export the suppression list as CSV. `GET /api/v1/suppressions/export` */
    export(options?: RequestOptions): Promise<string>;
    /** Import a suppression list from CSV. `POST /api/v1/suppressions/import` */
    import(csv: string, options?: RequestOptions): Promise<{ id: string; kind: "audience" | "suppressions"; target: string | null; status: "running" | "done" | "failed" | "cut_off"; bytes: number; bytes_read: number; rows: number; added: number; known: number; refused: number; errors: { line: number; message: string }[]; reason: string | null; started_at: string; finished_at: string | null }>;
  };
  tasks: {
    /** List what takes long now: broadcasts, people who are moved in campaigns, imports, replays. `GET /api/v1/tasks` */
    get(options?: RequestOptions): Promise<{ data: { type: "broadcasts" | "campaigns" | "imports" | "webhooks"; id: string; status: string; progress: Record<string, unknown> | null; name: string; target: string | null; started_at: string | null }[] }>;
  };
  topics: {
    /** List topics, newest first. `GET /api/v1/topics` */
    list(query?: { limit?: number; cursor?: string; q?: string; sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name"; counts?: boolean }, options?: RequestOptions): Promise<{ data: { id: string; name: string; description: string | null; default: "subscribed" | "unsubscribed"; exempt_from_limits: boolean; created_at: string; updated_at: string }[]; next_cursor: string | null; counts?: { total: number; exact: boolean } }>;
    /** Create a topic. `POST /api/v1/topics` */
    create(body: { name: string; description?: string | null; default: "subscribed" | "unsubscribed"; exempt_from_limits?: boolean }, options?: RequestOptions): Promise<{ id: string; name: string; description: string | null; default: "subscribed" | "unsubscribed"; exempt_from_limits: boolean; created_at: string; updated_at: string }>;
    /** Get a topic. `GET /api/v1/topics/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; name: string; description: string | null; default: "subscribed" | "unsubscribed"; exempt_from_limits: boolean; created_at: string; updated_at: string }>;
    /** Change a topic. `PATCH /api/v1/topics/:id` */
    update(id: string, body: { name?: string; description?: string | null; default?: "subscribed" | "unsubscribed"; exempt_from_limits?: boolean }, options?: RequestOptions): Promise<{ id: string; name: string; description: string | null; default: "subscribed" | "unsubscribed"; exempt_from_limits: boolean; created_at: string; updated_at: string }>;
    /** Remove a topic that nothing uses. `DELETE /api/v1/topics/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
  };
  transactionals: {
    /** List transactionals, newest first, without their content. `GET /api/v1/transactionals` */
    list(query?: { limit?: number; cursor?: string; q?: string; channel?: "email" | "push" | "sms"; sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name"; counts?: boolean }, options?: RequestOptions): Promise<{ data: { id: string; name: string; trigger_name: string | null; subscription_preference: "subscribed" | "all"; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; at_most_once: boolean; channel: "email" | "push" | "sms"; version: number; created_at: string; updated_at: string }[]; next_cursor: string | null; counts?: { total: number; exact: boolean; by_channel: { email: number; push: number; sms: number } } }>;
    /** Create a transactional. `POST /api/v1/transactionals` */
    create(body: { name: string; trigger_name?: string | null; subscription_preference: "subscribed" | "all"; topic_id?: string | null; tracking?: { opens: boolean; clicks: boolean }; at_most_once?: boolean; channel: "email" | "push" | "sms"; content: Content }, options?: RequestOptions): Promise<{ id: string; name: string; trigger_name: string | null; subscription_preference: "subscribed" | "all"; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; at_most_once: boolean; channel: "email" | "push" | "sms"; version: number; created_at: string; updated_at: string; content: Record<string, unknown>; warnings: { code: "reaches_unsubscribed" | "attribute_often_missing" | "sender_missing"; message: string; field?: string }[] }>;
    /** Get a transactional. `GET /api/v1/transactionals/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; name: string; trigger_name: string | null; subscription_preference: "subscribed" | "all"; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; at_most_once: boolean; channel: "email" | "push" | "sms"; version: number; created_at: string; updated_at: string; content: Record<string, unknown>; warnings: { code: "reaches_unsubscribed" | "attribute_often_missing" | "sender_missing"; message: string; field?: string }[] }>;
    /** Change a transactional. `PATCH /api/v1/transactionals/:id` */
    update(id: string, body: { name?: string; trigger_name?: string | null; subscription_preference?: "subscribed" | "all"; topic_id?: string | null; tracking?: { opens: boolean; clicks: boolean }; at_most_once?: boolean; content?: Content }, options?: RequestOptions): Promise<{ id: string; name: string; trigger_name: string | null; subscription_preference: "subscribed" | "all"; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; at_most_once: boolean; channel: "email" | "push" | "sms"; version: number; created_at: string; updated_at: string; content: Record<string, unknown>; warnings: { code: "reaches_unsubscribed" | "attribute_often_missing" | "sender_missing"; message: string; field?: string }[] }>;
    /** Remove a transactional. `DELETE /api/v1/transactionals/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** Render a content that is not saved. `POST /api/v1/transactionals/draft-preview` */
    draftPreview(body: { person_id?: string; person?: Record<string, unknown>; message_data?: Record<string, unknown>; channel: "email" | "push" | "sms"; content: Content }, options?: RequestOptions): Promise<{ content: Record<string, unknown>; missing: string[]; contract: Record<string, unknown> }>;
    /** Render without sending. `POST /api/v1/transactionals/:id/preview` */
    preview(id: string, body?: { person_id?: string; person?: Record<string, unknown>; message_data?: Record<string, unknown> }, options?: RequestOptions): Promise<{ content: Record<string, unknown>; missing: string[] }>;
    /** Show the JSON Schema of the message_data that its content reads. `GET /api/v1/transactionals/:id/contract` */
    contract(id: string, options?: RequestOptions): Promise<Record<string, unknown>>;
    /** Show the numbers of its deliveries. `GET /api/v1/transactionals/:id/metrics` */
    metrics(id: string, query?: { channel?: "email" | "push" | "sms" | "in_app"; since?: string | Date; until?: string | Date }, options?: RequestOptions): Promise<{ sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }>;
    /** Count its deliveries that did not arrive, by reason. `GET /api/v1/transactionals/:id/failures` */
    failures(id: string, options?: RequestOptions): Promise<{ data: { status: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "shown" | "dismissed" | "expired"; reason: string | null; count: number }[]; exact: boolean }>;
    /** Send it to one person, as a trigger call does. `POST /api/v1/transactionals/:id/send` */
    send(id: string, body: { person_id: string; message_data?: Record<string, unknown> }, options?: RequestOptions): Promise<{ delivery_id: string; person_id: string; status: "queued" | "suppressed" | "failed"; reason?: string; queued_at: string }>;
  };
  webhooks: {
    /** List webhook endpoints, newest first. `GET /api/v1/webhooks` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { id: string; url: string; description: string; types: string[]; secret_changed_at: string | null; enabled: boolean; disabled_at: string | null; disabled_reason: "manual" | "gone" | "failing" | null; failing_since: string | null; resting_until: string | null; created_at: string; updated_at: string }[]; next_cursor: string | null }>;
    /** Add a webhook endpoint; its secret is shown once. `POST /api/v1/webhooks` */
    create(body: { url: string; types?: ("email.queued" | "email.held" | "email.suppressed" | "email.attempt" | "email.sent" | "email.delivered" | "email.failed" | "email.canceled" | "email.bounced" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed" | "push.queued" | "push.held" | "push.suppressed" | "push.attempt" | "push.sent" | "push.delivered" | "push.failed" | "push.canceled" | "push.bounced" | "push.complained" | "push.opened" | "push.clicked" | "push.unsubscribed" | "sms.queued" | "sms.held" | "sms.suppressed" | "sms.attempt" | "sms.sent" | "sms.delivered" | "sms.failed" | "sms.canceled" | "sms.bounced" | "sms.complained" | "sms.opened" | "sms.clicked" | "sms.unsubscribed" | "in_app.queued" | "in_app.held" | "in_app.impression" | "in_app.click" | "in_app.dismiss" | "in_app.read" | "in_app.unread" | "in_app.expired" | "in_app.canceled" | "in_app.failed" | "person.identified" | "person.merged" | "person.subscribed" | "person.unsubscribed" | "person.suppressed" | "person.unsuppressed" | "campaign.entered" | "campaign.goal" | "campaign.ended" | "webhook.disabled" | "email.*" | "push.*" | "sms.*" | "in_app.*" | "person.*" | "campaign.*")[]; description?: string }, options?: RequestOptions): Promise<{ id: string; url: string; description: string; types: string[]; secret_changed_at: string | null; enabled: boolean; disabled_at: string | null; disabled_reason: "manual" | "gone" | "failing" | null; failing_since: string | null; resting_until: string | null; created_at: string; updated_at: string; secret: string }>;
    /** Get a webhook endpoint. `GET /api/v1/webhooks/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; url: string; description: string; types: string[]; secret_changed_at: string | null; enabled: boolean; disabled_at: string | null; disabled_reason: "manual" | "gone" | "failing" | null; failing_since: string | null; resting_until: string | null; created_at: string; updated_at: string }>;
    /** Change, disable or enable a webhook endpoint. `PATCH /api/v1/webhooks/:id` */
    update(id: string, body: { url?: string; types?: ("email.queued" | "email.held" | "email.suppressed" | "email.attempt" | "email.sent" | "email.delivered" | "email.failed" | "email.canceled" | "email.bounced" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed" | "push.queued" | "push.held" | "push.suppressed" | "push.attempt" | "push.sent" | "push.delivered" | "push.failed" | "push.canceled" | "push.bounced" | "push.complained" | "push.opened" | "push.clicked" | "push.unsubscribed" | "sms.queued" | "sms.held" | "sms.suppressed" | "sms.attempt" | "sms.sent" | "sms.delivered" | "sms.failed" | "sms.canceled" | "sms.bounced" | "sms.complained" | "sms.opened" | "sms.clicked" | "sms.unsubscribed" | "in_app.queued" | "in_app.held" | "in_app.impression" | "in_app.click" | "in_app.dismiss" | "in_app.read" | "in_app.unread" | "in_app.expired" | "in_app.canceled" | "in_app.failed" | "person.identified" | "person.merged" | "person.subscribed" | "person.unsubscribed" | "person.suppressed" | "person.unsuppressed" | "campaign.entered" | "campaign.goal" | "campaign.ended" | "webhook.disabled" | "email.*" | "push.*" | "sms.*" | "in_app.*" | "person.*" | "campaign.*")[]; description?: string; enabled?: boolean }, options?: RequestOptions): Promise<{ id: string; url: string; description: string; types: string[]; secret_changed_at: string | null; enabled: boolean; disabled_at: string | null; disabled_reason: "manual" | "gone" | "failing" | null; failing_since: string | null; resting_until: string | null; created_at: string; updated_at: string }>;
    /** Remove a webhook endpoint. `DELETE /api/v1/webhooks/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** Create a new secret, shown once; the previous one also signs for a while. `POST /api/v1/webhooks/:id/secret` */
    secret(id: string, body?: { overlap_hours?: number }, options?: RequestOptions): Promise<{ secret: string; previous_valid_until: string }>;
    /** Send an event webhook.test now and show the endpoint's answer. `POST /api/v1/webhooks/:id/test` */
    test(id: string, options?: RequestOptions): Promise<{ ok: boolean; event_id: string; status: number | null; answer: string; error: string | null; duration_ms: number }>;
    /** Send one event again. `POST /api/v1/webhooks/:id/deliveries/:delivery_id/replay` */
    replayDelivery(id: string, deliveryId: string, options?: RequestOptions): Promise<{ id: string; status: "pending" }>;
    /** List an endpoint's deliveries, newest first. `GET /api/v1/webhooks/:id/deliveries` */
    deliveries(id: string, query?: { limit?: number; cursor?: string; status?: "pending" | "delivered" | "failed"; type?: "email.queued" | "email.held" | "email.suppressed" | "email.attempt" | "email.sent" | "email.delivered" | "email.failed" | "email.canceled" | "email.bounced" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed" | "push.queued" | "push.held" | "push.suppressed" | "push.attempt" | "push.sent" | "push.delivered" | "push.failed" | "push.canceled" | "push.bounced" | "push.complained" | "push.opened" | "push.clicked" | "push.unsubscribed" | "sms.queued" | "sms.held" | "sms.suppressed" | "sms.attempt" | "sms.sent" | "sms.delivered" | "sms.failed" | "sms.canceled" | "sms.bounced" | "sms.complained" | "sms.opened" | "sms.clicked" | "sms.unsubscribed" | "in_app.queued" | "in_app.held" | "in_app.impression" | "in_app.click" | "in_app.dismiss" | "in_app.read" | "in_app.unread" | "in_app.expired" | "in_app.canceled" | "in_app.failed" | "person.identified" | "person.merged" | "person.subscribed" | "person.unsubscribed" | "person.suppressed" | "person.unsuppressed" | "campaign.entered" | "campaign.goal" | "campaign.ended" | "webhook.disabled"; since?: string | Date; until?: string | Date }, options?: RequestOptions): Promise<{ data: { id: string; type: string; status: "pending" | "delivered" | "failed"; payload: { id: string; type: string; timestamp: string; data: { person_id: string | null; delivery_id: string | null; channel: "email" | "push" | "sms" | "in_app" | null; source: "transactional" | "broadcast" | "campaign" | "test" | null; source_id: string | null; step_id: string | null; variant: string | null; message_id: string | null; recipient: string | null; details: Record<string, unknown> } }; created_at: string; delivered_at: string | null; next_attempt_at: string | null; attempts: { at: string; status: number | null; answer: string; error: string | null; duration_ms: number }[] }[]; next_cursor: string | null }>;
    /** Get one delivery of an endpoint, with the answer to each attempt. `GET /api/v1/webhooks/:id/deliveries/:delivery_id` */
    delivery(id: string, deliveryId: string, options?: RequestOptions): Promise<{ id: string; type: string; status: "pending" | "delivered" | "failed"; payload: { id: string; type: string; timestamp: string; data: { person_id: string | null; delivery_id: string | null; channel: "email" | "push" | "sms" | "in_app" | null; source: "transactional" | "broadcast" | "campaign" | "test" | null; source_id: string | null; step_id: string | null; variant: string | null; message_id: string | null; recipient: string | null; details: Record<string, unknown> } }; created_at: string; delivered_at: string | null; next_attempt_at: string | null; attempts: { at: string; status: number | null; answer: string; error: string | null; duration_ms: number }[] }>;
    /** Send all events since a time again, or those of the log in a period or that failed. `POST /api/v1/webhooks/:id/replay` */
    replay(id: string, body: { since: string | Date; until?: string | Date; status?: "failed" }, options?: RequestOptions): Promise<{ webhook_id: string; since: string; count: number | null; next_since: string | null }>;
    /** Get how much an endpoint has still to be sent, such as during a replay. `GET /api/v1/webhooks/:id/backlog` */
    backlog(id: string, options?: RequestOptions): Promise<{ pending: number; reading_at: string | null }>;
  };
  workspace: {
    /** Get the workspace's settings. `GET /api/v1/workspace` */
    get(options?: RequestOptions): Promise<{ id: string; name: string; timezone: string; allow_in_app: boolean; identity_verification: "off" | "monitor" | "required"; retention_days: number; retention: { deliveries?: number; events?: number; activity?: number; runs?: number; audit?: number; content?: number }; sender_defaults: { email_from?: string; email_reply_to?: string; country?: string }; quiet_defaults: { timezone_mode: "workspace" | "device"; start: string; end: string } | null; in_app_cap: { max_per_day?: number | null; min_interval?: { amount: number; unit: "minutes" | "hours" | "days" } | null } | null; rate_limits: { ingestion?: number; triggers?: number; in_app?: number; product?: number; new_people_per_hour?: number }; marketing_limits: { per_day?: number; per_week?: number; channels?: { email?: { per_day?: number; per_week?: number; window?: { from?: string; to?: string; days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] } | null }; push?: { per_day?: number; per_week?: number; window?: { from?: string; to?: string; days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] } | null }; sms?: { per_day?: number; per_week?: number; window?: { from?: string; to?: string; days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] } | null }; in_app?: { per_day?: number; per_week?: number; window?: { from?: string; to?: string; days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] } | null } }; window?: { from?: string; to?: string; days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] } }; unverified_calls: { unsigned: number; invalid: number; claimed: number }; created_at: string; updated_at: string }>;
    /** Change settings. `PATCH /api/v1/workspace` */
    update(body: { name?: string; timezone?: string; allow_in_app?: boolean; identity_verification?: "off" | "monitor" | "required"; retention_days?: number; retention?: { deliveries?: number; events?: number; activity?: number; runs?: number; audit?: number; content?: number }; sender_defaults?: { email_from?: string; email_reply_to?: string; country?: string }; quiet_defaults?: { timezone_mode: "workspace" | "device"; start: string; end: string } | null; in_app_cap?: { max_per_day?: number | null; min_interval?: { amount: number; unit: "minutes" | "hours" | "days" } | null } | null; rate_limits?: { ingestion?: number; triggers?: number; in_app?: number; product?: number; new_people_per_hour?: number }; marketing_limits?: { per_day?: number; per_week?: number; channels?: { email?: { per_day?: number; per_week?: number; window?: { from?: string; to?: string; days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] } | null }; push?: { per_day?: number; per_week?: number; window?: { from?: string; to?: string; days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] } | null }; sms?: { per_day?: number; per_week?: number; window?: { from?: string; to?: string; days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] } | null }; in_app?: { per_day?: number; per_week?: number; window?: { from?: string; to?: string; days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] } | null } }; window?: { from?: string; to?: string; days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] } } | null }, options?: RequestOptions): Promise<{ id: string; name: string; timezone: string; allow_in_app: boolean; identity_verification: "off" | "monitor" | "required"; retention_days: number; retention: { deliveries?: number; events?: number; activity?: number; runs?: number; audit?: number; content?: number }; sender_defaults: { email_from?: string; email_reply_to?: string; country?: string }; quiet_defaults: { timezone_mode: "workspace" | "device"; start: string; end: string } | null; in_app_cap: { max_per_day?: number | null; min_interval?: { amount: number; unit: "minutes" | "hours" | "days" } | null } | null; rate_limits: { ingestion?: number; triggers?: number; in_app?: number; product?: number; new_people_per_hour?: number }; marketing_limits: { per_day?: number; per_week?: number; channels?: { email?: { per_day?: number; per_week?: number; window?: { from?: string; to?: string; days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] } | null }; push?: { per_day?: number; per_week?: number; window?: { from?: string; to?: string; days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] } | null }; sms?: { per_day?: number; per_week?: number; window?: { from?: string; to?: string; days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] } | null }; in_app?: { per_day?: number; per_week?: number; window?: { from?: string; to?: string; days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] } | null } }; window?: { from?: string; to?: string; days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] } }; unverified_calls: { unsigned: number; invalid: number; claimed: number }; created_at: string; updated_at: string }>;
  };
}

export const routes: Record<string, Record<string, [route: string, takes: "body" | "query" | "text" | "form" | "nothing"]>> = {
  activity: {
    list: ["GET /api/v1/activity", "query"],
  },
  analytics: {
    get: ["GET /api/v1/analytics", "query"],
    export: ["GET /api/v1/analytics/export", "query"],
    metrics: ["GET /api/v1/analytics/metrics", "query"],
    metricsExport: ["GET /api/v1/analytics/metrics/export", "query"],
  },
  apiKeys: {
    list: ["GET /api/v1/api-keys", "query"],
    create: ["POST /api/v1/api-keys", "body"],
    roll: ["POST /api/v1/api-keys/:id/roll", "body"],
    remove: ["DELETE /api/v1/api-keys/:id", "nothing"],
  },
  audiences: {
    list: ["GET /api/v1/audiences", "query"],
    create: ["POST /api/v1/audiences", "body"],
    get: ["GET /api/v1/audiences/:id", "nothing"],
    update: ["PATCH /api/v1/audiences/:id", "body"],
    remove: ["DELETE /api/v1/audiences/:id", "nothing"],
    preview: ["POST /api/v1/audiences/preview", "body"],
    members: ["GET /api/v1/audiences/:id/members", "query"],
    person: ["GET /api/v1/audiences/:id/people/:person_id", "nothing"],
    addMember: ["PUT /api/v1/audiences/:id/members/:person_id", "nothing"],
    removeMember: ["DELETE /api/v1/audiences/:id/members/:person_id", "nothing"],
    export: ["GET /api/v1/audiences/:id/export", "nothing"],
    import: ["POST /api/v1/audiences/:id/import", "text"],
  },
  audit: {
    list: ["GET /api/v1/audit", "query"],
  },
  broadcasts: {
    list: ["GET /api/v1/broadcasts", "query"],
    create: ["POST /api/v1/broadcasts", "body"],
    get: ["GET /api/v1/broadcasts/:id", "nothing"],
    update: ["PATCH /api/v1/broadcasts/:id", "body"],
    remove: ["DELETE /api/v1/broadcasts/:id", "nothing"],
    send: ["POST /api/v1/broadcasts/:id/send", "body"],
    pause: ["POST /api/v1/broadcasts/:id/pause", "nothing"],
    resume: ["POST /api/v1/broadcasts/:id/resume", "nothing"],
    cancel: ["POST /api/v1/broadcasts/:id/cancel", "nothing"],
    schedule: ["POST /api/v1/broadcasts/:id/schedule", "body"],
    recall: ["POST /api/v1/broadcasts/:id/recall", "nothing"],
    preflight: ["POST /api/v1/broadcasts/:id/preflight", "nothing"],
    preview: ["POST /api/v1/broadcasts/:id/preview", "body"],
    testSends: ["POST /api/v1/broadcasts/:id/test-sends", "body"],
    metrics: ["GET /api/v1/broadcasts/:id/metrics", "query"],
    failures: ["GET /api/v1/broadcasts/:id/failures", "nothing"],
  },
  campaigns: {
    list: ["GET /api/v1/campaigns", "query"],
    create: ["POST /api/v1/campaigns", "body"],
    get: ["GET /api/v1/campaigns/:id", "nothing"],
    update: ["PATCH /api/v1/campaigns/:id", "body"],
    remove: ["DELETE /api/v1/campaigns/:id", "nothing"],
    validate: ["POST /api/v1/campaigns/:id/validate", "nothing"],
    activate: ["POST /api/v1/campaigns/:id/activate", "body"],
    pause: ["POST /api/v1/campaigns/:id/pause", "nothing"],
    resume: ["POST /api/v1/campaigns/:id/resume", "nothing"],
    archive: ["POST /api/v1/campaigns/:id/archive", "nothing"],
    versions: ["GET /api/v1/campaigns/:id/versions", "query"],
    webhookSecret: ["GET /api/v1/campaigns/webhook-secret", "nothing"],
    createWebhookSecret: ["POST /api/v1/campaigns/webhook-secret", "body"],
    startRun: ["POST /api/v1/campaigns/:id/runs", "body"],
    runs: ["GET /api/v1/campaigns/:id/runs", "query"],
    cancelRuns: ["POST /api/v1/campaigns/:id/runs/cancel", "body"],
    run: ["GET /api/v1/campaigns/:id/runs/:run_id", "nothing"],
    metrics: ["GET /api/v1/campaigns/:id/metrics", "query"],
    failures: ["GET /api/v1/campaigns/:id/failures", "nothing"],
    moveRun: ["POST /api/v1/campaigns/:id/runs/:run_id/move", "body"],
    skipRun: ["POST /api/v1/campaigns/:id/runs/:run_id/skip", "nothing"],
    retryRun: ["POST /api/v1/campaigns/:id/runs/:run_id/retry", "nothing"],
    endRun: ["POST /api/v1/campaigns/:id/runs/:run_id/end", "nothing"],
    moveRuns: ["POST /api/v1/campaigns/:id/runs/move", "body"],
    skipRuns: ["POST /api/v1/campaigns/:id/runs/skip", "body"],
    retryRuns: ["POST /api/v1/campaigns/:id/runs/retry", "body"],
    endRuns: ["POST /api/v1/campaigns/:id/runs/end", "body"],
    simulate: ["POST /api/v1/campaigns/:id/simulate", "body"],
    preflight: ["POST /api/v1/campaigns/:id/preflight", "nothing"],
    replay: ["POST /api/v1/campaigns/:id/replay", "body"],
  },
  catalog: {
    events: ["GET /api/v1/catalog/events", "query"],
    event: ["GET /api/v1/catalog/events/:name", "nothing"],
    attributes: ["GET /api/v1/catalog/attributes", "query"],
  },
  deliveries: {
    list: ["GET /api/v1/deliveries", "query"],
    get: ["GET /api/v1/deliveries/:id", "nothing"],
    export: ["GET /api/v1/deliveries/export", "query"],
    eventsExport: ["GET /api/v1/deliveries/events/export", "query"],
    recall: ["POST /api/v1/deliveries/:id/recall", "nothing"],
    resend: ["POST /api/v1/deliveries/:id/resend", "nothing"],
    cancel: ["POST /api/v1/deliveries/:id/cancel", "nothing"],
  },
  emailLayouts: {
    list: ["GET /api/v1/email-layouts", "query"],
    create: ["POST /api/v1/email-layouts", "body"],
    get: ["GET /api/v1/email-layouts/:id", "nothing"],
    update: ["PATCH /api/v1/email-layouts/:id", "body"],
    remove: ["DELETE /api/v1/email-layouts/:id", "nothing"],
  },
  emailTemplates: {
    list: ["GET /api/v1/email-templates", "query"],
    create: ["POST /api/v1/email-templates", "body"],
    get: ["GET /api/v1/email-templates/:id", "nothing"],
    update: ["PATCH /api/v1/email-templates/:id", "body"],
    remove: ["DELETE /api/v1/email-templates/:id", "nothing"],
    versions: ["GET /api/v1/email-templates/:id/versions", "query"],
    version: ["GET /api/v1/email-templates/:id/versions/:version", "nothing"],
    restoreVersion: ["POST /api/v1/email-templates/:id/versions/:version/restore", "nothing"],
    preview: ["POST /api/v1/email-templates/:id/preview", "body"],
    previewTexts: ["POST /api/v1/email-templates/preview-texts", "body"],
    testSends: ["POST /api/v1/email-templates/:id/test-sends", "body"],
  },
  events: {
    list: ["GET /api/v1/events", "query"],
  },
  exportDestinations: {
    list: ["GET /api/v1/export-destinations", "query"],
    create: ["POST /api/v1/export-destinations", "body"],
    get: ["GET /api/v1/export-destinations/:id", "nothing"],
    update: ["PATCH /api/v1/export-destinations/:id", "body"],
    remove: ["DELETE /api/v1/export-destinations/:id", "nothing"],
    state: ["GET /api/v1/export-destinations/:id/state", "nothing"],
    test: ["POST /api/v1/export-destinations/:id/test", "nothing"],
  },
  health: {
    get: ["GET /api/v1/health", "nothing"],
  },
  imports: {
    list: ["GET /api/v1/imports", "query"],
    get: ["GET /api/v1/imports/:id", "nothing"],
  },
  inApp: {
    nearMisses: ["GET /api/v1/in-app/near-misses", "nothing"],
  },
  inAppMessages: {
    list: ["GET /api/v1/in-app-messages", "query"],
    create: ["POST /api/v1/in-app-messages", "body"],
    get: ["GET /api/v1/in-app-messages/:id", "nothing"],
    update: ["PATCH /api/v1/in-app-messages/:id", "body"],
    remove: ["DELETE /api/v1/in-app-messages/:id", "nothing"],
    previewDraft: ["POST /api/v1/in-app-messages/preview-draft", "body"],
    preview: ["POST /api/v1/in-app-messages/:id/preview", "body"],
    testSends: ["POST /api/v1/in-app-messages/:id/test-sends", "body"],
    testSend: ["GET /api/v1/in-app-messages/:id/test-sends/:delivery_id", "query"],
    recall: ["POST /api/v1/in-app-messages/:id/recall", "nothing"],
  },
  ingestion: {
    rejected: ["GET /api/v1/ingestion/rejected", "query"],
    rejectedItem: ["GET /api/v1/ingestion/rejected/:id", "nothing"],
    rejectedCounts: ["GET /api/v1/ingestion/rejected/counts", "query"],
  },
  media: {
    list: ["GET /api/v1/media", "query"],
    upload: ["POST /api/v1/media", "form"],
    get: ["GET /api/v1/media/:id", "nothing"],
    update: ["PATCH /api/v1/media/:id", "body"],
    remove: ["DELETE /api/v1/media/:id", "nothing"],
    users: ["GET /api/v1/media/:id/users", "nothing"],
  },
  members: {
    list: ["GET /api/v1/members", "query"],
    create: ["POST /api/v1/members", "body"],
    get: ["GET /api/v1/members/:id", "nothing"],
    update: ["PATCH /api/v1/members/:id", "body"],
    remove: ["DELETE /api/v1/members/:id", "nothing"],
  },
  oidc: {
    get: ["GET /api/v1/oidc", "nothing"],
    put: ["PUT /api/v1/oidc", "body"],
    remove: ["DELETE /api/v1/oidc", "nothing"],
  },
  outbox: {
    list: ["GET /api/v1/outbox", "query"],
  },
  people: {
    list: ["GET /api/v1/people", "query"],
    get: ["GET /api/v1/people/:person_id", "nothing"],
    remove: ["DELETE /api/v1/people/:person_id", "nothing"],
    export: ["GET /api/v1/people/:person_id/export", "nothing"],
    devices: ["GET /api/v1/people/:person_id/devices", "nothing"],
    events: ["GET /api/v1/people/:person_id/events", "query"],
    activity: ["GET /api/v1/people/:person_id/activity", "query"],
    timeline: ["GET /api/v1/people/:person_id/timeline", "query"],
    activityExport: ["GET /api/v1/people/:person_id/activity/export", "query"],
    merge: ["POST /api/v1/people/:person_id/merge", "body"],
    subscriptions: ["GET /api/v1/people/:person_id/subscriptions", "nothing"],
    updateSubscriptions: ["PATCH /api/v1/people/:person_id/subscriptions", "body"],
    inApp: ["GET /api/v1/people/:person_id/in-app", "query"],
    runs: ["GET /api/v1/people/:person_id/runs", "query"],
  },
  providers: {
    list: ["GET /api/v1/providers", "query"],
    create: ["POST /api/v1/providers", "body"],
    get: ["GET /api/v1/providers/:id", "nothing"],
    update: ["PATCH /api/v1/providers/:id", "body"],
    remove: ["DELETE /api/v1/providers/:id", "nothing"],
    order: ["POST /api/v1/providers/order", "body"],
    test: ["POST /api/v1/providers/:id/test", "body"],
  },
  screens: {
    list: ["GET /api/v1/screens", "query"],
  },
  senderDomains: {
    list: ["GET /api/v1/sender-domains", "nothing"],
    get: ["GET /api/v1/sender-domains/:domain", "query"],
  },
  signingSecrets: {
    list: ["GET /api/v1/signing-secrets", "query"],
    create: ["POST /api/v1/signing-secrets", "body"],
    remove: ["DELETE /api/v1/signing-secrets/:kid", "nothing"],
  },
  snippets: {
    list: ["GET /api/v1/snippets", "query"],
    create: ["POST /api/v1/snippets", "body"],
    get: ["GET /api/v1/snippets/:id", "nothing"],
    update: ["PATCH /api/v1/snippets/:id", "body"],
    remove: ["DELETE /api/v1/snippets/:id", "nothing"],
  },
  suppressions: {
    list: ["GET /api/v1/suppressions", "query"],
    create: ["POST /api/v1/suppressions", "body"],
    remove: ["DELETE /api/v1/suppressions", "query"],
    export: ["GET /api/v1/suppressions/export", "nothing"],
    import: ["POST /api/v1/suppressions/import", "text"],
  },
  tasks: {
    get: ["GET /api/v1/tasks", "nothing"],
  },
  topics: {
    list: ["GET /api/v1/topics", "query"],
    create: ["POST /api/v1/topics", "body"],
    get: ["GET /api/v1/topics/:id", "nothing"],
    update: ["PATCH /api/v1/topics/:id", "body"],
    remove: ["DELETE /api/v1/topics/:id", "nothing"],
  },
  transactionals: {
    list: ["GET /api/v1/transactionals", "query"],
    create: ["POST /api/v1/transactionals", "body"],
    get: ["GET /api/v1/transactionals/:id", "nothing"],
    update: ["PATCH /api/v1/transactionals/:id", "body"],
    remove: ["DELETE /api/v1/transactionals/:id", "nothing"],
    draftPreview: ["POST /api/v1/transactionals/draft-preview", "body"],
    preview: ["POST /api/v1/transactionals/:id/preview", "body"],
    contract: ["GET /api/v1/transactionals/:id/contract", "nothing"],
    metrics: ["GET /api/v1/transactionals/:id/metrics", "query"],
    failures: ["GET /api/v1/transactionals/:id/failures", "nothing"],
    send: ["POST /api/v1/transactionals/:id/send", "body"],
  },
  webhooks: {
    list: ["GET /api/v1/webhooks", "query"],
    create: ["POST /api/v1/webhooks", "body"],
    get: ["GET /api/v1/webhooks/:id", "nothing"],
    update: ["PATCH /api/v1/webhooks/:id", "body"],
    remove: ["DELETE /api/v1/webhooks/:id", "nothing"],
    secret: ["POST /api/v1/webhooks/:id/secret", "body"],
    test: ["POST /api/v1/webhooks/:id/test", "nothing"],
    replayDelivery: ["POST /api/v1/webhooks/:id/deliveries/:delivery_id/replay", "nothing"],
    deliveries: ["GET /api/v1/webhooks/:id/deliveries", "query"],
    delivery: ["GET /api/v1/webhooks/:id/deliveries/:delivery_id", "nothing"],
    replay: ["POST /api/v1/webhooks/:id/replay", "body"],
    backlog: ["GET /api/v1/webhooks/:id/backlog", "nothing"],
  },
  workspace: {
    get: ["GET /api/v1/workspace", "nothing"],
    update: ["PATCH /api/v1/workspace", "body"],
  },
};
