// Every route of the product API, written from the service's OpenAPI document by `npx vitest run sdk/node/test/product-text.test.ts -u`.
// Do not edit.

import type { RequestOptions } from "./resources.ts";

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
  analytics: {
    /** What happened by the hour or day, in the workspace's time zone. `GET /api/v1/analytics` */
    get(query?: { from?: string | Date; to?: string | Date; bucket?: "hour" | "day"; by?: "channel" | "source"; channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string }, options?: RequestOptions): Promise<{ from: string; to: string; bucket: "hour" | "day"; timezone: string; totals: { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }; data: { start: string; end: string; sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }[]; parts?: { channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; totals: { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }; data: { start: string; end: string; sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }[] }[] }>;
    /** What happened by the hour or day, as CSV. `GET /api/v1/analytics/export` */
    export(query?: { from?: string | Date; to?: string | Date; bucket?: "hour" | "day"; by?: "channel" | "source"; channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string }, options?: RequestOptions): Promise<string>;
    /** The numbers of the workspace, in all and by channel, kind of source or source. `GET /api/v1/analytics/metrics` */
    metrics(query?: { limit?: number; cursor?: string; from?: string | Date; to?: string | Date; channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string; by?: "channel" | "source" | "source_id" }, options?: RequestOptions): Promise<{ from: string | null; to: string | null; totals: { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }; data: { channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string | null; sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }[]; next_cursor: string | null }>;
    /** The numbers of the workspace, as CSV. `GET /api/v1/analytics/metrics/export` */
    metricsExport(query?: { from?: string | Date; to?: string | Date; channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string; by?: "channel" | "source" | "source_id" }, options?: RequestOptions): Promise<string>;
  };
  apiKeys: {
    /** API keys, newest first. `GET /api/v1/api-keys` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { id: string; kind: "secret" | "public"; name: string; scopes: ("read" | "send" | "ingest" | "author" | "admin")[] | null; created_at: string; expires_at: string | null; last_used_at: string | null; revoked_at: string | null }[]; next_cursor: string | null }>;
    /** Make an API key. `POST /api/v1/api-keys` */
    create(body: { kind: "secret" | "public"; name?: string; scopes?: ("read" | "send" | "ingest" | "author" | "admin")[] | null; expires_at?: string | Date | null }, options?: RequestOptions): Promise<{ id: string; kind: "secret" | "public"; name: string; scopes: ("read" | "send" | "ingest" | "author" | "admin")[] | null; created_at: string; expires_at: string | null; last_used_at: string | null; revoked_at: string | null; key: string }>;
    /** Make a key that may do the same, and end this one after an overlap. `POST /api/v1/api-keys/:id/roll` */
    roll(id: string, body: { overlap?: { amount: number; unit: "minutes" | "hours" | "days" } | null; expires_at?: string | Date | null }, options?: RequestOptions): Promise<{ id: string; kind: "secret" | "public"; name: string; scopes: ("read" | "send" | "ingest" | "author" | "admin")[] | null; created_at: string; expires_at: string | null; last_used_at: string | null; revoked_at: string | null; key: string; replaces: { id: string; kind: "secret" | "public"; name: string; scopes: ("read" | "send" | "ingest" | "author" | "admin")[] | null; created_at: string; expires_at: string | null; last_used_at: string | null; revoked_at: string | null } }>;
    /** Revoke an API key. `DELETE /api/v1/api-keys/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
  };
  audiences: {
    /** Audiences, newest first. `GET /api/v1/audiences` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { id: string; name: string; kind: "filter" | "list"; filter: Filter | null; created_at: string; updated_at: string }[]; next_cursor: string | null }>;
    /** Make an audience: a filter over people, or a list. `POST /api/v1/audiences` */
    create(body: { name: string; kind?: "filter" | "list"; filter?: Filter }, options?: RequestOptions): Promise<{ id: string; name: string; kind: "filter" | "list"; filter: Filter | null; created_at: string; updated_at: string; used_by: { type: string; id: string; name: string }[] }>;
    /** One audience, with what uses it. `GET /api/v1/audiences/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; name: string; kind: "filter" | "list"; filter: Filter | null; created_at: string; updated_at: string; used_by: { type: string; id: string; name: string }[] }>;
    /** Change an audience; another filter is 409 while something uses it. `PATCH /api/v1/audiences/:id` */
    update(id: string, body: { name?: string; filter?: Filter; even_if_used?: boolean }, options?: RequestOptions): Promise<{ id: string; name: string; kind: "filter" | "list"; filter: Filter | null; created_at: string; updated_at: string; used_by: { type: string; id: string; name: string }[] }>;
    /** Remove an audience; 409 while something uses it. `DELETE /api/v1/audiences/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** How many people a filter lets through, and some of them. `POST /api/v1/audiences/preview` */
    preview(body: { filter: Filter }, options?: RequestOptions): Promise<{ count: number; sample: { person_id: string }[] }>;
    /** Who is in an audience now. `GET /api/v1/audiences/:id/members` */
    members(id: string, query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { person_id: string; email: string | null; phone: string | null }[]; next_cursor: string | null }>;
    /** Why a person is in an audience, or is not. `GET /api/v1/audiences/:id/people/:person_id` */
    person(id: string, personId: string, options?: RequestOptions): Promise<{ person_id: string; in: boolean; because: string; verdict: Record<string, unknown> }>;
    /** Put a person on a list. `PUT /api/v1/audiences/:id/members/:person_id` */
    addMember(id: string, personId: string, options?: RequestOptions): Promise<void>;
    /** Take a person off a list. `DELETE /api/v1/audiences/:id/members/:person_id` */
    removeMember(id: string, personId: string, options?: RequestOptions): Promise<void>;
    /** Who is in an audience, as CSV. `GET /api/v1/audiences/:id/export` */
    export(id: string, options?: RequestOptions): Promise<string>;
    /** Put the people of a CSV file on a list. `POST /api/v1/audiences/:id/import` */
    import(id: string, csv: string, options?: RequestOptions): Promise<{ id: string; kind: "audience" | "suppressions"; target: string | null; status: "running" | "done" | "failed" | "cut_off"; bytes: number; bytes_read: number; rows: number; added: number; known: number; refused: number; errors: { line: number; message: string }[]; reason: string | null; started_at: string; finished_at: string | null }>;
  };
  broadcasts: {
    /** Broadcasts, newest first. `GET /api/v1/broadcasts` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; audience: Record<string, unknown> | null; message_id: string | null; message_version: number | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string }[]; next_cursor: string | null }>;
    /** Make a broadcast, as a draft. `POST /api/v1/broadcasts` */
    create(body: { name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id?: string; audience?: Filter; message_id?: string; content?: Content; locales?: Record<string, { message_id?: string; content?: Content }> | null; variants?: { name: string; weight: number; message_id?: string; content?: Content; locales?: Record<string, { message_id?: string; content?: Content }> | null }[] | null; holdout_percent?: number; topic_id?: string | null; tracking?: { opens: boolean; clicks: boolean }; subscription_preference?: "subscribed" | "all"; rate_per_second?: number | null }, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; audience: Record<string, unknown> | null; message_id: string | null; message_version: number | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string }>;
    /** One broadcast with its progress. `GET /api/v1/broadcasts/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; audience: Record<string, unknown> | null; message_id: string | null; message_version: number | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string }>;
    /** Change a draft or a scheduled one. `PATCH /api/v1/broadcasts/:id` */
    update(id: string, body: { name?: string; audience_id?: string; audience?: Filter; message_id?: string; content?: Content; locales?: Record<string, { message_id?: string; content?: Content }> | null; variants?: { name: string; weight: number; message_id?: string; content?: Content; locales?: Record<string, { message_id?: string; content?: Content }> | null }[] | null; holdout_percent?: number; topic_id?: string | null; tracking?: { opens: boolean; clicks: boolean }; subscription_preference?: "subscribed" | "all"; rate_per_second?: number | null }, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; audience: Record<string, unknown> | null; message_id: string | null; message_version: number | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string }>;
    /** Remove a broadcast that is not being sent. `DELETE /api/v1/broadcasts/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** Send it now. `POST /api/v1/broadcasts/:id/send` */
    send(id: string, body: { allow_empty?: boolean }, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; audience: Record<string, unknown> | null; message_id: string | null; message_version: number | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string }>;
    /** Hold it: nothing more is sent after the answer. `POST /api/v1/broadcasts/:id/pause` */
    pause(id: string, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; audience: Record<string, unknown> | null; message_id: string | null; message_version: number | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string }>;
    /** Go on with a paused one. `POST /api/v1/broadcasts/:id/resume` */
    resume(id: string, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; audience: Record<string, unknown> | null; message_id: string | null; message_version: number | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string }>;
    /** End it; what is out stays. `POST /api/v1/broadcasts/:id/cancel` */
    cancel(id: string, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; audience: Record<string, unknown> | null; message_id: string | null; message_version: number | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string }>;
    /** Send it at a time, or when each person's own clock shows it. `POST /api/v1/broadcasts/:id/schedule` */
    schedule(id: string, body: { send_at: string | Date; local_time?: boolean; allow_empty?: boolean }, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms" | "in_app"; audience_id: string | null; audience: Record<string, unknown> | null; message_id: string | null; message_version: number | null; content: Record<string, unknown> | null; locales: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null; variants: { name: string; weight: number; message_id?: string; message_version?: number; content?: Record<string, unknown>; locales?: Record<string, { message_id?: string; message_version?: number; content?: Record<string, unknown> }> | null }[] | null; holdout_percent: number; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; subscription_preference: "subscribed" | "all"; rate_per_second: number | null; status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; reason: string | null; recalled_at: string | null; send_at: string | null; local_time: boolean; timezone: string | null; progress: { total: number | null; done: number; held_out: number; people_per_second: number | null; seconds_left: number | null }; started_at: string | null; finished_at: string | null; created_at: string; updated_at: string }>;
    /** Take back what is not yet dismissed, and cancel the rest; open applications drop it at once. `POST /api/v1/broadcasts/:id/recall` */
    recall(id: string, options?: RequestOptions): Promise<{ status: "draft" | "scheduled" | "sending" | "paused" | "sent" | "canceled" | "failed"; recalled: number; more: boolean }>;
    /** Who would get it now, and who not and why. `POST /api/v1/broadcasts/:id/preflight` */
    preflight(id: string, options?: RequestOptions): Promise<{ audience: number; will_receive: number; excluded: Record<string, number>; held_out: number; variants?: Record<string, { will_receive: number; excluded: Record<string, number> }>; locales?: Record<string, number>; samples: Record<string, string[]> }>;
    /** How it comes out for a person. `POST /api/v1/broadcasts/:id/preview` */
    preview(id: string, body: { person_id: string; variant?: string; locale?: string | null }, options?: RequestOptions): Promise<Record<string, unknown>>;
    /** Send it to one person, whoever is in the audience; counted as a test. `POST /api/v1/broadcasts/:id/test-sends` */
    testSends(id: string, body: { person_id: string; variant?: string; locale?: string | null }, options?: RequestOptions): Promise<{ delivery_id: string }>;
    /** What became of its deliveries, in numbers. `GET /api/v1/broadcasts/:id/metrics` */
    metrics(id: string, query?: { channel?: "email" | "push" | "sms" | "in_app"; since?: string | Date; until?: string | Date }, options?: RequestOptions): Promise<{ sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number; variants?: Record<string, { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }> }>;
  };
  campaigns: {
    /** Campaigns, newest first, without their steps. `GET /api/v1/campaigns` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { id: string; name: string; status: "draft" | "active" | "paused" | "archived"; trigger_type: "event" | "audience" | "date" | "recurring" | "api"; channels: ("email" | "push" | "sms" | "in_app")[]; published: { version: number; activated_at: string } | null; changed: boolean; paused_at: string | null; created_at: string; updated_at: string }[]; next_cursor: string | null }>;
    /** Make a campaign, as a draft. `POST /api/v1/campaigns` */
    create(body: { name: string; trigger: Trigger; reentry?: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps: Step[]; entry_max_age?: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when?: StepFilter | null; goal?: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on?: { event: string; where?: PropertyFilter[] } | null }, options?: RequestOptions): Promise<{ id: string; name: string; status: "draft" | "active" | "paused" | "archived"; trigger: Trigger; reentry: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps: Step[]; entry_max_age: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when: StepFilter | null; goal: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on: { event: string; where?: PropertyFilter[] } | null; summary: { step_id: string | null; depth: number; text: string }[]; published: { version: number; activated_at: string } | null; changed: boolean; paused_at: string | null; created_at: string; updated_at: string }>;
    /** One campaign as it was written last, and what is published. `GET /api/v1/campaigns/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; name: string; status: "draft" | "active" | "paused" | "archived"; trigger: Trigger; reentry: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps: Step[]; entry_max_age: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when: StepFilter | null; goal: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on: { event: string; where?: PropertyFilter[] } | null; summary: { step_id: string | null; depth: number; text: string }[]; published: { version: number; activated_at: string } | null; changed: boolean; paused_at: string | null; created_at: string; updated_at: string }>;
    /** Change what is written; what is published stays until it is activated again. `PATCH /api/v1/campaigns/:id` */
    update(id: string, body: { name?: string; trigger?: Trigger; reentry?: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps?: Step[]; entry_max_age?: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when?: StepFilter | null; goal?: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on?: { event: string; where?: PropertyFilter[] } | null }, options?: RequestOptions): Promise<{ id: string; name: string; status: "draft" | "active" | "paused" | "archived"; trigger: Trigger; reentry: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps: Step[]; entry_max_age: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when: StepFilter | null; goal: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on: { event: string; where?: PropertyFilter[] } | null; summary: { step_id: string | null; depth: number; text: string }[]; published: { version: number; activated_at: string } | null; changed: boolean; paused_at: string | null; created_at: string; updated_at: string }>;
    /** Remove a draft or an archived campaign. `DELETE /api/v1/campaigns/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** Everything that stands against activating it, with the steps. `POST /api/v1/campaigns/:id/validate` */
    validate(id: string, options?: RequestOptions): Promise<{ problems: { code: string; message: string; step_id: string | null; pointer: string }[] }>;
    /** Publish what is written, and let people in. `POST /api/v1/campaigns/:id/activate` */
    activate(id: string, body: { inside?: "stay" | "move" | "end" }, options?: RequestOptions): Promise<{ id: string; name: string; status: "draft" | "active" | "paused" | "archived"; trigger: Trigger; reentry: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps: Step[]; entry_max_age: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when: StepFilter | null; goal: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on: { event: string; where?: PropertyFilter[] } | null; summary: { step_id: string | null; depth: number; text: string }[]; published: { version: number; activated_at: string } | null; changed: boolean; paused_at: string | null; created_at: string; updated_at: string }>;
    /** Hold everybody where they are, and let nobody in. `POST /api/v1/campaigns/:id/pause` */
    pause(id: string, options?: RequestOptions): Promise<{ id: string; name: string; status: "draft" | "active" | "paused" | "archived"; trigger: Trigger; reentry: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps: Step[]; entry_max_age: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when: StepFilter | null; goal: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on: { event: string; where?: PropertyFilter[] } | null; summary: { step_id: string | null; depth: number; text: string }[]; published: { version: number; activated_at: string } | null; changed: boolean; paused_at: string | null; created_at: string; updated_at: string }>;
    /** Go on with a paused one; waits are as long as they were. `POST /api/v1/campaigns/:id/resume` */
    resume(id: string, options?: RequestOptions): Promise<{ id: string; name: string; status: "draft" | "active" | "paused" | "archived"; trigger: Trigger; reentry: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps: Step[]; entry_max_age: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when: StepFilter | null; goal: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on: { event: string; where?: PropertyFilter[] } | null; summary: { step_id: string | null; depth: number; text: string }[]; published: { version: number; activated_at: string } | null; changed: boolean; paused_at: string | null; created_at: string; updated_at: string }>;
    /** End it, and take everybody out. `POST /api/v1/campaigns/:id/archive` */
    archive(id: string, options?: RequestOptions): Promise<{ id: string; name: string; status: "draft" | "active" | "paused" | "archived"; trigger: Trigger; reentry: "once" | "always" | { after: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" } }; steps: Step[]; entry_max_age: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit_when: StepFilter | null; goal: { event: string; where?: PropertyFilter[]; within: { amount: number; unit: "seconds" | "minutes" | "hours" | "days" }; exit?: boolean } | null; cancel_on: { event: string; where?: PropertyFilter[] } | null; summary: { step_id: string | null; depth: number; text: string }[]; published: { version: number; activated_at: string } | null; changed: boolean; paused_at: string | null; created_at: string; updated_at: string }>;
    /** Let a person into an active campaign. `POST /api/v1/campaigns/:id/runs` */
    createRuns(id: string, body: { person_id: string; data?: Record<string, unknown>; cancellation_key?: string }, options?: RequestOptions): Promise<{ run_id: string }>;
    /** The runs of a campaign, those that entered last first. `GET /api/v1/campaigns/:id/runs` */
    runs(id: string, query?: { limit?: number; cursor?: string; person_id?: string; step?: string; status?: "active" | "completed" | "exited" | "failed" | "canceled" }, options?: RequestOptions): Promise<{ data: { id: string; campaign_id: string; person_id: string | null; status: "active" | "completed" | "exited" | "failed" | "canceled"; reason: string | null; step_id: string | null; data: Record<string, unknown>; cancellation_key: string | null; entered_at: string; due_at: string | null; ended_at: string | null }[]; next_cursor: string | null }>;
    /** End all active runs that have this cancellation_key. `POST /api/v1/campaigns/:id/runs/cancel` */
    runsCancel(id: string, body: { cancellation_key: string }, options?: RequestOptions): Promise<{ canceled: number }>;
    /** One run, with what each step made of it. `GET /api/v1/campaigns/:id/runs/:run_id` */
    run(id: string, runId: string, options?: RequestOptions): Promise<{ id: string; campaign_id: string; person_id: string | null; status: "active" | "completed" | "exited" | "failed" | "canceled"; reason: string | null; step_id: string | null; data: Record<string, unknown>; cancellation_key: string | null; entered_at: string; due_at: string | null; ended_at: string | null; history: { step_id: string; entered_at: string; left_at: string | null; state: "waiting" | "passed" | "failed" | "exited"; way: string | null; reason: string | null; delivery_id: string | null; detail: Record<string, unknown> | null }[] }>;
    /** What became of its messages, its steps and its goal, in numbers. `GET /api/v1/campaigns/:id/metrics` */
    metrics(id: string, query?: { channel?: "email" | "push" | "sms" | "in_app" }, options?: RequestOptions): Promise<{ totals: { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }; channels: Record<string, { sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }>; steps: Record<string, { entered: number; waiting: number; passed: number; failed: number; exited: number }>; goal?: { reached: number } }>;
    /** Put a run at another step. `POST /api/v1/campaigns/:id/runs/:run_id/move` */
    runsMove(id: string, runId: string, body: { step_id: string }, options?: RequestOptions): Promise<{ id: string; campaign_id: string; person_id: string | null; status: "active" | "completed" | "exited" | "failed" | "canceled"; reason: string | null; step_id: string | null; data: Record<string, unknown>; cancellation_key: string | null; entered_at: string; due_at: string | null; ended_at: string | null; history: { step_id: string; entered_at: string; left_at: string | null; state: "waiting" | "passed" | "failed" | "exited"; way: string | null; reason: string | null; delivery_id: string | null; detail: Record<string, unknown> | null }[] }>;
    /** Take a run past the step where it stands. `POST /api/v1/campaigns/:id/runs/:run_id/skip` */
    runsSkip(id: string, runId: string, options?: RequestOptions): Promise<{ id: string; campaign_id: string; person_id: string | null; status: "active" | "completed" | "exited" | "failed" | "canceled"; reason: string | null; step_id: string | null; data: Record<string, unknown>; cancellation_key: string | null; entered_at: string; due_at: string | null; ended_at: string | null; history: { step_id: string; entered_at: string; left_at: string | null; state: "waiting" | "passed" | "failed" | "exited"; way: string | null; reason: string | null; delivery_id: string | null; detail: Record<string, unknown> | null }[] }>;
    /** Try the step of a run again that failed. `POST /api/v1/campaigns/:id/runs/:run_id/retry` */
    runsRetry(id: string, runId: string, options?: RequestOptions): Promise<{ id: string; campaign_id: string; person_id: string | null; status: "active" | "completed" | "exited" | "failed" | "canceled"; reason: string | null; step_id: string | null; data: Record<string, unknown>; cancellation_key: string | null; entered_at: string; due_at: string | null; ended_at: string | null; history: { step_id: string; entered_at: string; left_at: string | null; state: "waiting" | "passed" | "failed" | "exited"; way: string | null; reason: string | null; delivery_id: string | null; detail: Record<string, unknown> | null }[] }>;
    /** End a run. `POST /api/v1/campaigns/:id/runs/:run_id/end` */
    runsEnd(id: string, runId: string, options?: RequestOptions): Promise<{ id: string; campaign_id: string; person_id: string | null; status: "active" | "completed" | "exited" | "failed" | "canceled"; reason: string | null; step_id: string | null; data: Record<string, unknown>; cancellation_key: string | null; entered_at: string; due_at: string | null; ended_at: string | null; history: { step_id: string; entered_at: string; left_at: string | null; state: "waiting" | "passed" | "failed" | "exited"; way: string | null; reason: string | null; delivery_id: string | null; detail: Record<string, unknown> | null }[] }>;
  };
  deliveries: {
    /** Message activity, newest first. `GET /api/v1/deliveries` */
    list(query?: { limit?: number; cursor?: string; channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string; variant?: string; status?: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "shown" | "dismissed" | "expired"; person_id?: string; since?: string | Date; until?: string | Date; undetermined?: boolean; include?: "events" }, options?: RequestOptions): Promise<{ data: { id: string; person_id: string | null; channel: "email" | "push" | "sms" | "in_app"; source: "transactional" | "broadcast" | "campaign" | "test"; source_id: string | null; variant: string | null; message_id: string | null; status: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "shown" | "dismissed" | "expired"; reason: string | null; recipient: string | null; priority: number; queued_at: string; due_at: string | null; sent_at: string | null; delivered_at: string | null; bounced_at: string | null; complained_at: string | null; unsubscribed_at: string | null; failed_at: string | null; shown_at: string | null; opened_at: string | null; clicked_at: string | null; dismissed_at: string | null; expires_at: string | null; impressions: number; attempts: number; provider: string | null; provider_message_id: string | null; events?: { type: string; at: string; data: Record<string, unknown> }[] }[]; next_cursor: string | null }>;
    /** One delivery with its events. `GET /api/v1/deliveries/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; person_id: string | null; channel: "email" | "push" | "sms" | "in_app"; source: "transactional" | "broadcast" | "campaign" | "test"; source_id: string | null; variant: string | null; message_id: string | null; status: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "shown" | "dismissed" | "expired"; reason: string | null; recipient: string | null; priority: number; queued_at: string; due_at: string | null; sent_at: string | null; delivered_at: string | null; bounced_at: string | null; complained_at: string | null; unsubscribed_at: string | null; failed_at: string | null; shown_at: string | null; opened_at: string | null; clicked_at: string | null; dismissed_at: string | null; expires_at: string | null; impressions: number; attempts: number; provider: string | null; provider_message_id: string | null; content: Record<string, unknown> | null; events: { type: string; at: string; data: Record<string, unknown> }[] }>;
    /** Message activity as CSV. `GET /api/v1/deliveries/export` */
    export(query?: { channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string; variant?: string; status?: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "shown" | "dismissed" | "expired"; person_id?: string; since?: string | Date; until?: string | Date; undetermined?: boolean }, options?: RequestOptions): Promise<string>;
    /** What happened to deliveries, as CSV. `GET /api/v1/deliveries/events/export` */
    eventsExport(query?: { channel?: "email" | "push" | "sms" | "in_app"; source?: "transactional" | "broadcast" | "campaign" | "test"; source_id?: string; variant?: string; status?: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | "shown" | "dismissed" | "expired"; person_id?: string; since?: string | Date; until?: string | Date; undetermined?: boolean; type?: string }, options?: RequestOptions): Promise<string>;
    /** Take back one in-app delivery. `POST /api/v1/deliveries/:id/recall` */
    recall(id: string, options?: RequestOptions): Promise<{ delivery_id: string; status: string; recalled: boolean }>;
    /** Send the same content to the same recipient again, as a new delivery. `POST /api/v1/deliveries/:id/resend` */
    resend(id: string, options?: RequestOptions): Promise<{ delivery_id: string }>;
    /** Take back a delivery that is not sent yet. `POST /api/v1/deliveries/:id/cancel` */
    cancel(id: string, options?: RequestOptions): Promise<{ delivery_id: string; status: "canceled" }>;
  };
  emailLayouts: {
    /** Email layouts, newest first, without their bodies. `GET /api/v1/email-layouts` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { id: string; version: number; name: string; created_at: string; updated_at: string; format: "html" | "mjml" }[]; next_cursor: string | null }>;
    /** Make an email layout around `{{ content }}`. `POST /api/v1/email-layouts` */
    create(body: { name: string; body: string; format?: "html" | "mjml" }, options?: RequestOptions): Promise<{ id: string; version: number; name: string; created_at: string; updated_at: string; body: string; format: "html" | "mjml"; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** One email layout. `GET /api/v1/email-layouts/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; version: number; name: string; created_at: string; updated_at: string; body: string; format: "html" | "mjml"; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Change an email layout, and with it each template that has it. `PATCH /api/v1/email-layouts/:id` */
    update(id: string, body: { name?: string; body?: string; format?: "html" | "mjml" }, options?: RequestOptions): Promise<{ id: string; version: number; name: string; created_at: string; updated_at: string; body: string; format: "html" | "mjml"; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Remove an email layout; 409 while a template has it. `DELETE /api/v1/email-layouts/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
  };
  emailTemplates: {
    /** Email templates, newest first, without their long texts. `GET /api/v1/email-templates` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { id: string; version: number; name: string; subject: string; preheader: string | null; format: "html" | "mjml"; layout_id: string | null; from: string | null; reply_to: string | null; snippets: string[]; created_at: string; updated_at: string }[]; next_cursor: string | null }>;
    /** Make an email template of HTML or MJML. `POST /api/v1/email-templates` */
    create(body: { name: string; subject: string; body: string; format?: "html" | "mjml"; preheader?: string | null; plaintext?: string | null; layout_id?: string | null; from?: string | null; reply_to?: string | null }, options?: RequestOptions): Promise<{ id: string; version: number; name: string; subject: string; preheader: string | null; format: "html" | "mjml"; layout_id: string | null; from: string | null; reply_to: string | null; snippets: string[]; created_at: string; updated_at: string; body: string; plaintext: string | null; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** One email template. `GET /api/v1/email-templates/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; version: number; name: string; subject: string; preheader: string | null; format: "html" | "mjml"; layout_id: string | null; from: string | null; reply_to: string | null; snippets: string[]; created_at: string; updated_at: string; body: string; plaintext: string | null; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Edit: the fields that are named, as a new version. `PATCH /api/v1/email-templates/:id` */
    update(id: string, body: { name?: string; subject?: string; body?: string; format?: "html" | "mjml"; preheader?: string | null; plaintext?: string | null; layout_id?: string | null; from?: string | null; reply_to?: string | null }, options?: RequestOptions): Promise<{ id: string; version: number; name: string; subject: string; preheader: string | null; format: "html" | "mjml"; layout_id: string | null; from: string | null; reply_to: string | null; snippets: string[]; created_at: string; updated_at: string; body: string; plaintext: string | null; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Take an email template out of use; 409 while something sends with it. `DELETE /api/v1/email-templates/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** Its versions, newest first. `GET /api/v1/email-templates/:id/versions` */
    versions(id: string, query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { version: number; cause: "created" | "edited" | "restored" | "layout_changed" | "snippet_changed"; subject: string; format: "html" | "mjml"; created_at: string }[]; next_cursor: string | null }>;
    /** One version. `GET /api/v1/email-templates/:id/versions/:version` */
    version(id: string, version: number, options?: RequestOptions): Promise<{ version: number; cause: "created" | "edited" | "restored" | "layout_changed" | "snippet_changed"; subject: string; format: "html" | "mjml"; created_at: string; preheader: string | null; plaintext: string | null; layout_id: string | null; from: string | null; reply_to: string | null; body: string }>;
    /** Make a new version of the texts of an old one. `POST /api/v1/email-templates/:id/versions/:version/restore` */
    versionsRestore(id: string, version: number, options?: RequestOptions): Promise<{ id: string; version: number; name: string; subject: string; preheader: string | null; format: "html" | "mjml"; layout_id: string | null; from: string | null; reply_to: string | null; snippets: string[]; created_at: string; updated_at: string; body: string; plaintext: string | null; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** How it comes out for a person. `POST /api/v1/email-templates/:id/preview` */
    preview(id: string, body: { person_id?: string; person?: Record<string, unknown>; message_data?: Record<string, unknown> }, options?: RequestOptions): Promise<{ version: number; subject: string; preheader: string | null; body: string; plaintext: string; from: string | null; reply_to: string | null; missing: string[] }>;
  };
  events: {
    /** What happened, oldest first, to be read on for ever. `GET /api/v1/events` */
    list(query?: { limit?: number; cursor?: string; types?: string }, options?: RequestOptions): Promise<{ data: { id: string; type: string; timestamp: string; data: { person_id: string | null; delivery_id: string | null; channel: "email" | "push" | "sms" | "in_app" | null; source: "transactional" | "broadcast" | "campaign" | "test" | null; source_id: string | null; variant: string | null; message_id: string | null; recipient: string | null; details: Record<string, unknown> } }[]; next_cursor: string; has_more: boolean }>;
  };
  imports: {
    /** Files that are being read or were, newest first. `GET /api/v1/imports` */
    list(query?: { limit?: number; cursor?: string; kind?: "audience" | "suppressions"; target?: string; status?: "running" | "done" | "failed" | "cut_off" }, options?: RequestOptions): Promise<{ data: { id: string; kind: "audience" | "suppressions"; target: string | null; status: "running" | "done" | "failed" | "cut_off"; bytes: number; bytes_read: number; rows: number; added: number; known: number; refused: number; errors: { line: number; message: string }[]; reason: string | null; started_at: string; finished_at: string | null }[]; next_cursor: string | null }>;
    /** How far a file came. `GET /api/v1/imports/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; kind: "audience" | "suppressions"; target: string | null; status: "running" | "done" | "failed" | "cut_off"; bytes: number; bytes_read: number; rows: number; added: number; known: number; refused: number; errors: { line: number; message: string }[]; reason: string | null; started_at: string; finished_at: string | null }>;
  };
  inApp: {
    /** Ids that devices synced with in the last hour and that nobody has, the latest first; of this process. `GET /api/v1/in-app/near-misses` */
    nearMisses(options?: RequestOptions): Promise<{ data: { person_id: string; screen: string | null; last_seen: string; count: number }[] }>;
  };
  inAppMessages: {
    /** In-app messages, newest first. `GET /api/v1/in-app-messages` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { id: string; version: number; name: string; render_type: "modal" | "banner" | "inline" | "inbox_card"; title: string | null; body: string; image_url: string | null; cta: { label: string; action: "deep_link" | "dismiss" | "custom"; value: string | null } | null; priority: number; expiry: { amount: number; unit: "minutes" | "hours" | "days" } | null; screens: { include: string[]; exclude: string[] }; quiet_hours: { enabled: boolean; timezone_mode: "workspace" | "device"; start: string; end: string } | null; persistence: { mode: "one_time" | "persistent_until_dismissed"; per: "person" | "delivery"; max_impressions: number | null; min_interval: { amount: number; unit: "minutes" | "hours" | "days" } | null }; warnings?: { code: "screen_near_miss"; message: string; field: string }[]; created_at: string; updated_at: string }[]; next_cursor: string | null }>;
    /** Define an in-app message. `POST /api/v1/in-app-messages` */
    create(body: { name: string; render_type: "modal" | "banner" | "inline" | "inbox_card"; title?: string | null; body: string; image_url?: string | null; cta?: { label: string; action: "deep_link" | "dismiss" | "custom"; value?: string | null } | null; priority?: number; expiry?: { amount: number; unit: "minutes" | "hours" | "days" } | null; screens?: { include?: string[]; exclude?: string[] } | null; quiet_hours?: { enabled?: boolean; timezone_mode?: "workspace" | "device"; start?: string; end?: string } | null; persistence?: { mode?: "one_time" | "persistent_until_dismissed"; per?: "person" | "delivery"; max_impressions?: number | null; min_interval?: { amount: number; unit: "minutes" | "hours" | "days" } | null } | null }, options?: RequestOptions): Promise<{ id: string; version: number; name: string; render_type: "modal" | "banner" | "inline" | "inbox_card"; title: string | null; body: string; image_url: string | null; cta: { label: string; action: "deep_link" | "dismiss" | "custom"; value: string | null } | null; priority: number; expiry: { amount: number; unit: "minutes" | "hours" | "days" } | null; screens: { include: string[]; exclude: string[] }; quiet_hours: { enabled: boolean; timezone_mode: "workspace" | "device"; start: string; end: string } | null; persistence: { mode: "one_time" | "persistent_until_dismissed"; per: "person" | "delivery"; max_impressions: number | null; min_interval: { amount: number; unit: "minutes" | "hours" | "days" } | null }; warnings?: { code: "screen_near_miss"; message: string; field: string }[]; created_at: string; updated_at: string }>;
    /** One in-app message. `GET /api/v1/in-app-messages/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; version: number; name: string; render_type: "modal" | "banner" | "inline" | "inbox_card"; title: string | null; body: string; image_url: string | null; cta: { label: string; action: "deep_link" | "dismiss" | "custom"; value: string | null } | null; priority: number; expiry: { amount: number; unit: "minutes" | "hours" | "days" } | null; screens: { include: string[]; exclude: string[] }; quiet_hours: { enabled: boolean; timezone_mode: "workspace" | "device"; start: string; end: string } | null; persistence: { mode: "one_time" | "persistent_until_dismissed"; per: "person" | "delivery"; max_impressions: number | null; min_interval: { amount: number; unit: "minutes" | "hours" | "days" } | null }; warnings?: { code: "screen_near_miss"; message: string; field: string }[]; created_at: string; updated_at: string }>;
    /** Edit: the fields that are named, as a new version. `PATCH /api/v1/in-app-messages/:id` */
    update(id: string, body: { name?: string; render_type?: "modal" | "banner" | "inline" | "inbox_card"; title?: string | null; body?: string; image_url?: string | null; cta?: { label?: string; action?: "deep_link" | "dismiss" | "custom"; value?: string | null } | null; priority?: number; expiry?: { amount: number; unit: "minutes" | "hours" | "days" } | null; screens?: { include?: string[]; exclude?: string[] } | null; quiet_hours?: { enabled?: boolean; timezone_mode?: "workspace" | "device"; start?: string; end?: string } | null; persistence?: { mode?: "one_time" | "persistent_until_dismissed"; per?: "person" | "delivery"; max_impressions?: number | null; min_interval?: { amount: number; unit: "minutes" | "hours" | "days" } | null } | null }, options?: RequestOptions): Promise<{ id: string; version: number; name: string; render_type: "modal" | "banner" | "inline" | "inbox_card"; title: string | null; body: string; image_url: string | null; cta: { label: string; action: "deep_link" | "dismiss" | "custom"; value: string | null } | null; priority: number; expiry: { amount: number; unit: "minutes" | "hours" | "days" } | null; screens: { include: string[]; exclude: string[] }; quiet_hours: { enabled: boolean; timezone_mode: "workspace" | "device"; start: string; end: string } | null; persistence: { mode: "one_time" | "persistent_until_dismissed"; per: "person" | "delivery"; max_impressions: number | null; min_interval: { amount: number; unit: "minutes" | "hours" | "days" } | null }; warnings?: { code: "screen_near_miss"; message: string; field: string }[]; created_at: string; updated_at: string }>;
    /** Take a message out of use. `DELETE /api/v1/in-app-messages/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** How it comes out for a person. `POST /api/v1/in-app-messages/:id/preview` */
    preview(id: string, body: { person_id?: string; person?: Record<string, unknown>; trigger?: Record<string, unknown> }, options?: RequestOptions): Promise<{ message_id: string; render_type: "modal" | "banner" | "inline" | "inbox_card"; priority: number; content: { title: string | null; body: string; image_url: string | null }; ctas: { id: string; label: string; action: "deep_link" | "dismiss" | "custom"; value?: string }[]; persistence: { mode: "one_time" | "persistent_until_dismissed"; max_impressions_total?: number; min_interval_seconds?: number }; left_out: string[] }>;
    /** Queue it to one person. `POST /api/v1/in-app-messages/:id/test-sends` */
    testSends(id: string, body: { person_id: string; trigger?: Record<string, unknown> }, options?: RequestOptions): Promise<{ delivery_id: string }>;
    /** What became of a test send: queued, fetched, shown, and which gate holds it back. `GET /api/v1/in-app-messages/:id/test-sends/:delivery_id` */
    testSend(id: string, deliveryId: string, query?: { screen?: string; timezone?: string; tz_offset_minutes?: number; at?: string | Date }, options?: RequestOptions): Promise<{ delivery_id: string; message_id: string; person_id: string | null; status: string; queued_at: string; fetched_at: string | null; shown_at: string | null; clicked_at: string | null; dismissed_at: string | null; expires_at: string | null; held_by: { gate: "screen" | "quiet_hours" | "expiry" | "impressions" | "interval" | "cap" | "status"; detail: string }[]; next_eligible_at: string | null; last_sync: { at: string; screen: string | null; timezone: string | null; tz_offset_minutes: number | null; returned: boolean; held_by: { gate: "screen" | "quiet_hours" | "expiry" | "impressions" | "interval" | "cap" | "status"; detail: string }[] } | null }>;
    /** Take back what is not yet dismissed of it; open applications drop it at once. `POST /api/v1/in-app-messages/:id/recall` */
    recall(id: string, options?: RequestOptions): Promise<{ recalled: number; more: boolean }>;
  };
  ingestion: {
    /** What ingestion refused or left out, newest first, with the reason. `GET /api/v1/ingestion/rejected` */
    rejected(query?: { limit?: number; cursor?: string; code?: string; person_id?: string; since?: string | Date; until?: string | Date }, options?: RequestOptions): Promise<{ data: { id: string; at: string; route: string; item: number | null; request_id: string; person_id: string | null; code: string; reason: string; errors: { pointer?: string; parameter?: string; message: string }[]; data: unknown }[]; next_cursor: string | null }>;
    /** How much ingestion refused or left out, by route and code. `GET /api/v1/ingestion/rejected/counts` */
    rejectedCounts(query?: { since?: string | Date }, options?: RequestOptions): Promise<{ since: string; rejected: number; data: { route: string; code: string; rejected: number; not_kept: number; last_at: string }[] }>;
  };
  outbox: {
    /** What the local provider captured instead of sending, newest first. `GET /api/v1/outbox` */
    list(query?: { limit?: number; cursor?: string; channel?: "email" | "push" | "sms"; recipient?: string }, options?: RequestOptions): Promise<{ data: { id: string; delivery_id: string; channel: "email" | "push" | "sms"; recipient: string; message: Record<string, unknown>; captured_at: string }[]; next_cursor: string | null }>;
  };
  people: {
    /** People, changed last first. `GET /api/v1/people` */
    list(query?: { limit?: number; cursor?: string; q?: string }, options?: RequestOptions): Promise<{ data: { person_id: string; email: string | null; phone: string | null; email_verified: boolean; phone_verified: boolean; claimed_email: string | null; claimed_phone: string | null; timezone: string | null; locale: string | null; subscribed: boolean; attributes: Record<string, unknown>; created_at: string; updated_at: string }[]; next_cursor: string | null }>;
    /** One person. `GET /api/v1/people/:person_id` */
    get(personId: string, options?: RequestOptions): Promise<{ person_id: string; email: string | null; phone: string | null; email_verified: boolean; phone_verified: boolean; claimed_email: string | null; claimed_phone: string | null; timezone: string | null; locale: string | null; subscribed: boolean; attributes: Record<string, unknown>; created_at: string; updated_at: string }>;
    /** Erase a person: what was sent is counted, and says nothing of them. `DELETE /api/v1/people/:person_id` */
    remove(personId: string, options?: RequestOptions): Promise<void>;
    /** Everything that is held of a person, as one JSON object. `GET /api/v1/people/:person_id/export` */
    export(personId: string, options?: RequestOptions): Promise<Record<string, unknown>>;
    /** A person's devices. `GET /api/v1/people/:person_id/devices` */
    devices(personId: string, options?: RequestOptions): Promise<{ data: { id: string; platform: "ios" | "android" | "web"; token: string; app_version: string | null; created_at: string; last_used_at: string; disabled_at: string | null }[]; next_cursor: null }>;
    /** What a person did, newest first. `GET /api/v1/people/:person_id/events` */
    events(personId: string, query?: { limit?: number; cursor?: string; name?: string; since?: string | Date; until?: string | Date }, options?: RequestOptions): Promise<{ data: { id: string; name: string; properties: Record<string, unknown>; ts: string; received_at: string }[]; next_cursor: string | null }>;
    /** What happened to one person, newest first. `GET /api/v1/people/:person_id/activity` */
    activity(personId: string, query?: { limit?: number; cursor?: string; channel?: "email" | "push" | "sms" | "in_app"; type?: string; since?: string | Date; until?: string | Date }, options?: RequestOptions): Promise<{ data: { id: string; type: string; at: string; delivery_id: string | null; channel: "email" | "push" | "sms" | "in_app" | null; source: "transactional" | "broadcast" | "campaign" | "test" | null; source_id: string | null; message_id: string | null; data: Record<string, unknown> }[]; next_cursor: string | null }>;
    /** What happened to one person, as CSV. `GET /api/v1/people/:person_id/activity/export` */
    activityExport(personId: string, query?: { channel?: "email" | "push" | "sms" | "in_app"; type?: string; since?: string | Date; until?: string | Date }, options?: RequestOptions): Promise<string>;
    /** Merge a person into another, who stays. `POST /api/v1/people/:person_id/merge` */
    merge(personId: string, body: { into: string }, options?: RequestOptions): Promise<{ person_id: string; email: string | null; phone: string | null; email_verified: boolean; phone_verified: boolean; claimed_email: string | null; claimed_phone: string | null; timezone: string | null; locale: string | null; subscribed: boolean; attributes: Record<string, unknown>; created_at: string; updated_at: string }>;
    /** What a person subscribed to. `GET /api/v1/people/:person_id/subscriptions` */
    subscriptions(personId: string, options?: RequestOptions): Promise<{ person_id: string; subscribed: boolean; channels: { email: boolean; push: boolean; sms: boolean; in_app: boolean }; topics: Record<string, boolean>; suppressed: { channel: "email" | "sms"; reason: "hard_bounce" | "complaint" | "manual" | "stop" }[] }>;
    /** Change what a person subscribed to. `PATCH /api/v1/people/:person_id/subscriptions` */
    updateSubscriptions(personId: string, body: { subscribed?: boolean; channels?: { email?: boolean; push?: boolean; sms?: boolean; in_app?: boolean }; topics?: Record<string, boolean> }, options?: RequestOptions): Promise<{ person_id: string; subscribed: boolean; channels: { email: boolean; push: boolean; sms: boolean; in_app: boolean }; topics: Record<string, boolean>; suppressed: { channel: "email" | "sms"; reason: "hard_bounce" | "complaint" | "manual" | "stop" }[] }>;
    /** Why each live in-app message of a person shows here and now, or does not. `GET /api/v1/people/:person_id/in-app` */
    inApp(personId: string, query?: { limit?: number; cursor?: string; screen?: string; timezone?: string; tz_offset_minutes?: number; at?: string | Date }, options?: RequestOptions): Promise<{ data: { delivery_id: string; message_id: string; eligible: boolean; reason: string | null; gates: { gate: "screen" | "quiet_hours" | "expiry" | "impressions" | "interval" | "cap" | "status"; pass: boolean; detail: string }[]; next_eligible_at: string | null }[]; next_cursor: string | null }>;
  };
  providers: {
    /** Providers, newest first. `GET /api/v1/providers` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { id: string; name: string; channel: "email" | "push" | "sms"; kind: string; priority: number; rate_per_second: number | null; settings: Record<string, unknown>; has_credentials: boolean; state: { status: "ok" | "resting" | "slow"; until?: string; reason?: string }; created_at: string; updated_at: string }[]; next_cursor: string | null }>;
    /** Add a provider. `POST /api/v1/providers` */
    create(body: { name: string; channel: "email" | "push" | "sms"; kind: "local" | "smtp" | "ses" | "postmark" | "resend" | "sendgrid" | "mailgun" | "twilio" | "vonage" | "http" | "fcm" | "apns" | "webpush"; priority?: number; rate_per_second?: number | null; settings?: Record<string, unknown>; credentials?: Record<string, unknown> }, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms"; kind: string; priority: number; rate_per_second: number | null; settings: Record<string, unknown>; has_credentials: boolean; state: { status: "ok" | "resting" | "slow"; until?: string; reason?: string }; created_at: string; updated_at: string }>;
    /** One provider. `GET /api/v1/providers/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms"; kind: string; priority: number; rate_per_second: number | null; settings: Record<string, unknown>; has_credentials: boolean; state: { status: "ok" | "resting" | "slow"; until?: string; reason?: string }; created_at: string; updated_at: string }>;
    /** Change a provider. `PATCH /api/v1/providers/:id` */
    update(id: string, body: { name?: string; priority?: number; rate_per_second?: number | null; settings?: ProviderSettings; credentials?: ProviderCredentials }, options?: RequestOptions): Promise<{ id: string; name: string; channel: "email" | "push" | "sms"; kind: string; priority: number; rate_per_second: number | null; settings: Record<string, unknown>; has_credentials: boolean; state: { status: "ok" | "resting" | "slow"; until?: string; reason?: string }; created_at: string; updated_at: string }>;
    /** Remove a provider. `DELETE /api/v1/providers/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** Try a provider. `POST /api/v1/providers/:id/test` */
    test(id: string, body: { to?: string }, options?: RequestOptions): Promise<{ ok: boolean; detail: string }>;
  };
  screens: {
    /** The screen catalog, by name. `GET /api/v1/screens` */
    list(query?: { limit?: number; cursor?: string; q?: string }, options?: RequestOptions): Promise<{ data: { name: string; first_seen: string; last_seen: string }[]; next_cursor: string | null }>;
  };
  signingSecrets: {
    /** Signing secrets, newest first. `GET /api/v1/signing-secrets` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { kid: string; created_at: string; revoked_at: string | null }[]; next_cursor: string | null }>;
    /** Make a signing secret for person tokens; two may live at once. `POST /api/v1/signing-secrets` */
    create(body: Record<string, unknown>, options?: RequestOptions): Promise<{ kid: string; created_at: string; revoked_at: string | null; secret: string }>;
    /** Revoke a signing secret, and with it the tokens it signed. `DELETE /api/v1/signing-secrets/:kid` */
    remove(kid: string, options?: RequestOptions): Promise<void>;
  };
  snippets: {
    /** Snippets, newest first, without their bodies. `GET /api/v1/snippets` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { id: string; version: number; name: string; created_at: string; updated_at: string }[]; next_cursor: string | null }>;
    /** Make a snippet, for `{% snippet "name" %}`. `POST /api/v1/snippets` */
    create(body: { name: string; body: string }, options?: RequestOptions): Promise<{ id: string; version: number; name: string; created_at: string; updated_at: string; body: string; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** One snippet. `GET /api/v1/snippets/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; version: number; name: string; created_at: string; updated_at: string; body: string; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Change a snippet, and with it each template that it is in. `PATCH /api/v1/snippets/:id` */
    update(id: string, body: { body: string }, options?: RequestOptions): Promise<{ id: string; version: number; name: string; created_at: string; updated_at: string; body: string; warnings?: { code: "style_not_inlined"; message: string; field: string }[] }>;
    /** Remove a snippet; 409 while it is in something. `DELETE /api/v1/snippets/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
  };
  suppressions: {
    /** The suppression list, newest first. `GET /api/v1/suppressions` */
    list(query?: { limit?: number; cursor?: string; channel?: "email" | "sms"; reason?: "hard_bounce" | "complaint" | "manual" | "stop"; q?: string }, options?: RequestOptions): Promise<{ data: { channel: "email" | "sms"; address: string | null; reason: "hard_bounce" | "complaint" | "manual" | "stop"; source: string; created_at: string }[]; next_cursor: string | null }>;
    /** Put an address on the suppression list. `POST /api/v1/suppressions` */
    create(body: { channel: "email" | "sms"; address: string; reason?: "hard_bounce" | "complaint" | "manual" | "stop" }, options?: RequestOptions): Promise<{ channel: "email" | "sms"; address: string | null; reason: "hard_bounce" | "complaint" | "manual" | "stop"; source: string; created_at: string }>;
    /** Take an address off the suppression list. `DELETE /api/v1/suppressions` */
    remove(query: { channel: "email" | "sms"; address: string }, options?: RequestOptions): Promise<void>;
    /** The suppression list as CSV. `GET /api/v1/suppressions/export` */
    export(options?: RequestOptions): Promise<string>;
    /** Import a suppression list from CSV. `POST /api/v1/suppressions/import` */
    import(csv: string, options?: RequestOptions): Promise<{ id: string; kind: "audience" | "suppressions"; target: string | null; status: "running" | "done" | "failed" | "cut_off"; bytes: number; bytes_read: number; rows: number; added: number; known: number; refused: number; errors: { line: number; message: string }[]; reason: string | null; started_at: string; finished_at: string | null }>;
  };
  topics: {
    /** Topics, newest first. `GET /api/v1/topics` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { id: string; name: string; description: string | null; default: "subscribed" | "unsubscribed"; created_at: string; updated_at: string }[]; next_cursor: string | null }>;
    /** Make a topic. `POST /api/v1/topics` */
    create(body: { name: string; description?: string | null; default: "subscribed" | "unsubscribed" }, options?: RequestOptions): Promise<{ id: string; name: string; description: string | null; default: "subscribed" | "unsubscribed"; created_at: string; updated_at: string }>;
    /** One topic. `GET /api/v1/topics/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; name: string; description: string | null; default: "subscribed" | "unsubscribed"; created_at: string; updated_at: string }>;
    /** Change a topic. `PATCH /api/v1/topics/:id` */
    update(id: string, body: { name?: string; description?: string | null; default?: "subscribed" | "unsubscribed" }, options?: RequestOptions): Promise<{ id: string; name: string; description: string | null; default: "subscribed" | "unsubscribed"; created_at: string; updated_at: string }>;
    /** Remove a topic that nothing uses. `DELETE /api/v1/topics/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
  };
  transactionals: {
    /** Transactionals, newest first. `GET /api/v1/transactionals` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { id: string; name: string; trigger_name: string | null; subscription_preference: "subscribed" | "all"; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; at_most_once: boolean; channel: "email" | "push" | "sms"; content: Record<string, unknown>; version: number; warnings?: { code: "reaches_unsubscribed" | "attribute_often_missing" | "sender_missing"; message: string; field?: string }[]; created_at: string; updated_at: string }[]; next_cursor: string | null }>;
    /** Make a transactional. `POST /api/v1/transactionals` */
    create(body: { name: string; trigger_name?: string | null; subscription_preference: "subscribed" | "all"; topic_id?: string | null; tracking?: { opens: boolean; clicks: boolean }; at_most_once?: boolean; channel: "email" | "push" | "sms"; content: Content }, options?: RequestOptions): Promise<{ id: string; name: string; trigger_name: string | null; subscription_preference: "subscribed" | "all"; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; at_most_once: boolean; channel: "email" | "push" | "sms"; content: Record<string, unknown>; version: number; warnings?: { code: "reaches_unsubscribed" | "attribute_often_missing" | "sender_missing"; message: string; field?: string }[]; created_at: string; updated_at: string }>;
    /** One transactional. `GET /api/v1/transactionals/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; name: string; trigger_name: string | null; subscription_preference: "subscribed" | "all"; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; at_most_once: boolean; channel: "email" | "push" | "sms"; content: Record<string, unknown>; version: number; warnings?: { code: "reaches_unsubscribed" | "attribute_often_missing" | "sender_missing"; message: string; field?: string }[]; created_at: string; updated_at: string }>;
    /** Change a transactional. `PATCH /api/v1/transactionals/:id` */
    update(id: string, body: { name?: string; trigger_name?: string | null; subscription_preference?: "subscribed" | "all"; topic_id?: string | null; tracking?: { opens: boolean; clicks: boolean }; at_most_once?: boolean; content?: Content }, options?: RequestOptions): Promise<{ id: string; name: string; trigger_name: string | null; subscription_preference: "subscribed" | "all"; topic_id: string | null; tracking: { opens: boolean; clicks: boolean }; at_most_once: boolean; channel: "email" | "push" | "sms"; content: Record<string, unknown>; version: number; warnings?: { code: "reaches_unsubscribed" | "attribute_often_missing" | "sender_missing"; message: string; field?: string }[]; created_at: string; updated_at: string }>;
    /** Remove a transactional. `DELETE /api/v1/transactionals/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** Render without sending. `POST /api/v1/transactionals/:id/preview` */
    preview(id: string, body: { person_id?: string; person?: Record<string, unknown>; message_data?: Record<string, unknown> }, options?: RequestOptions): Promise<{ content: Record<string, unknown>; missing: string[] }>;
    /** What became of its deliveries, in numbers. `GET /api/v1/transactionals/:id/metrics` */
    metrics(id: string, query?: { channel?: "email" | "push" | "sms" | "in_app"; since?: string | Date; until?: string | Date }, options?: RequestOptions): Promise<{ sent: number; delivered: number; shown: number; opened: number; clicked: number; dismissed: number; bounced: number; unsubscribed: number; failed: number }>;
    /** JSON Schema of the message_data that its content reads. `GET /api/v1/transactionals/:id/contract` */
    contract(id: string, options?: RequestOptions): Promise<Record<string, unknown>>;
  };
  webhooks: {
    /** Webhook endpoints, newest first. `GET /api/v1/webhooks` */
    list(query?: { limit?: number; cursor?: string }, options?: RequestOptions): Promise<{ data: { id: string; url: string; description: string; types: string[]; enabled: boolean; disabled_at: string | null; disabled_reason: "manual" | "gone" | "failing" | null; failing_since: string | null; resting_until: string | null; created_at: string; updated_at: string }[]; next_cursor: string | null }>;
    /** Add a webhook endpoint; its secret is shown once. `POST /api/v1/webhooks` */
    create(body: { url: string; types?: ("email.queued" | "email.suppressed" | "email.attempt" | "email.sent" | "email.delivered" | "email.failed" | "email.canceled" | "email.bounced" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed" | "push.queued" | "push.suppressed" | "push.attempt" | "push.sent" | "push.delivered" | "push.failed" | "push.canceled" | "push.bounced" | "push.complained" | "push.opened" | "push.clicked" | "push.unsubscribed" | "sms.queued" | "sms.suppressed" | "sms.attempt" | "sms.sent" | "sms.delivered" | "sms.failed" | "sms.canceled" | "sms.bounced" | "sms.complained" | "sms.opened" | "sms.clicked" | "sms.unsubscribed" | "in_app.queued" | "in_app.impression" | "in_app.click" | "in_app.dismiss" | "in_app.read" | "in_app.unread" | "in_app.expired" | "in_app.canceled" | "in_app.failed" | "person.identified" | "person.merged" | "person.subscribed" | "person.unsubscribed" | "person.suppressed" | "person.unsuppressed" | "webhook.disabled" | "email.*" | "push.*" | "sms.*" | "in_app.*" | "person.*")[]; description?: string }, options?: RequestOptions): Promise<{ id: string; url: string; description: string; types: string[]; enabled: boolean; disabled_at: string | null; disabled_reason: "manual" | "gone" | "failing" | null; failing_since: string | null; resting_until: string | null; created_at: string; updated_at: string; secret: string }>;
    /** One webhook endpoint. `GET /api/v1/webhooks/:id` */
    get(id: string, options?: RequestOptions): Promise<{ id: string; url: string; description: string; types: string[]; enabled: boolean; disabled_at: string | null; disabled_reason: "manual" | "gone" | "failing" | null; failing_since: string | null; resting_until: string | null; created_at: string; updated_at: string }>;
    /** Change, disable or enable a webhook endpoint. `PATCH /api/v1/webhooks/:id` */
    update(id: string, body: { url?: string; types?: ("email.queued" | "email.suppressed" | "email.attempt" | "email.sent" | "email.delivered" | "email.failed" | "email.canceled" | "email.bounced" | "email.complained" | "email.opened" | "email.clicked" | "email.unsubscribed" | "push.queued" | "push.suppressed" | "push.attempt" | "push.sent" | "push.delivered" | "push.failed" | "push.canceled" | "push.bounced" | "push.complained" | "push.opened" | "push.clicked" | "push.unsubscribed" | "sms.queued" | "sms.suppressed" | "sms.attempt" | "sms.sent" | "sms.delivered" | "sms.failed" | "sms.canceled" | "sms.bounced" | "sms.complained" | "sms.opened" | "sms.clicked" | "sms.unsubscribed" | "in_app.queued" | "in_app.impression" | "in_app.click" | "in_app.dismiss" | "in_app.read" | "in_app.unread" | "in_app.expired" | "in_app.canceled" | "in_app.failed" | "person.identified" | "person.merged" | "person.subscribed" | "person.unsubscribed" | "person.suppressed" | "person.unsuppressed" | "webhook.disabled" | "email.*" | "push.*" | "sms.*" | "in_app.*" | "person.*")[]; description?: string; enabled?: boolean }, options?: RequestOptions): Promise<{ id: string; url: string; description: string; types: string[]; enabled: boolean; disabled_at: string | null; disabled_reason: "manual" | "gone" | "failing" | null; failing_since: string | null; resting_until: string | null; created_at: string; updated_at: string }>;
    /** Remove a webhook endpoint. `DELETE /api/v1/webhooks/:id` */
    remove(id: string, options?: RequestOptions): Promise<void>;
    /** A new secret, shown once; the previous one signs too for a while. `POST /api/v1/webhooks/:id/secret` */
    secret(id: string, body: { overlap_hours?: number }, options?: RequestOptions): Promise<{ secret: string; previous_valid_until: string }>;
    /** Send an event webhook.test now and see what the endpoint says. `POST /api/v1/webhooks/:id/test` */
    test(id: string, options?: RequestOptions): Promise<{ ok: boolean; event_id: string; status: number | null; answer: string; error: string | null; duration_ms: number }>;
    /** The log of an endpoint, newest first. `GET /api/v1/webhooks/:id/deliveries` */
    deliveries(id: string, query?: { limit?: number; cursor?: string; status?: "pending" | "delivered" | "failed" }, options?: RequestOptions): Promise<{ data: { id: string; type: string; status: "pending" | "delivered" | "failed"; payload: { id: string; type: string; timestamp: string; data: { person_id: string | null; delivery_id: string | null; channel: "email" | "push" | "sms" | "in_app" | null; source: "transactional" | "broadcast" | "campaign" | "test" | null; source_id: string | null; variant: string | null; message_id: string | null; recipient: string | null; details: Record<string, unknown> } }; created_at: string; delivered_at: string | null; next_attempt_at: string | null; attempts: { at: string; status: number | null; answer: string; error: string | null; duration_ms: number }[] }[]; next_cursor: string | null }>;
    /** Send every event since a time again. `POST /api/v1/webhooks/:id/replay` */
    replay(id: string, body: { since: string | Date }, options?: RequestOptions): Promise<{ webhook_id: string; since: string }>;
    /** Send one event again. `POST /api/v1/webhooks/:id/deliveries/:delivery_id/replay` */
    deliveriesReplay(id: string, deliveryId: string, options?: RequestOptions): Promise<{ id: string; status: "pending" }>;
  };
  workspace: {
    /** The workspace's settings. `GET /api/v1/workspace` */
    get(options?: RequestOptions): Promise<{ id: string; name: string; timezone: string; allow_in_app: boolean; identity_verification: "off" | "monitor" | "required"; retention_days: number; retention: { deliveries?: number; events?: number; activity?: number; content?: number }; sender_defaults: { email_from?: string; email_reply_to?: string; country?: string }; quiet_defaults: { timezone_mode: "workspace" | "device"; start: string; end: string } | null; in_app_cap: { max_per_day?: number | null; min_interval?: { amount: number; unit: "minutes" | "hours" | "days" } | null } | null; rate_limits: { ingestion?: number; triggers?: number; in_app?: number; product?: number; new_people_per_hour?: number }; unverified_calls: { unsigned: number; invalid: number; claimed: number }; created_at: string; updated_at: string }>;
    /** Change settings. `PATCH /api/v1/workspace` */
    update(body: { name?: string; timezone?: string; allow_in_app?: boolean; identity_verification?: "off" | "monitor" | "required"; retention_days?: number; retention?: { deliveries?: number; events?: number; activity?: number; content?: number }; sender_defaults?: { email_from?: string; email_reply_to?: string; country?: string }; quiet_defaults?: { timezone_mode: "workspace" | "device"; start: string; end: string } | null; in_app_cap?: { max_per_day?: number | null; min_interval?: { amount: number; unit: "minutes" | "hours" | "days" } | null } | null; rate_limits?: { ingestion?: number; triggers?: number; in_app?: number; product?: number; new_people_per_hour?: number } }, options?: RequestOptions): Promise<{ id: string; name: string; timezone: string; allow_in_app: boolean; identity_verification: "off" | "monitor" | "required"; retention_days: number; retention: { deliveries?: number; events?: number; activity?: number; content?: number }; sender_defaults: { email_from?: string; email_reply_to?: string; country?: string }; quiet_defaults: { timezone_mode: "workspace" | "device"; start: string; end: string } | null; in_app_cap: { max_per_day?: number | null; min_interval?: { amount: number; unit: "minutes" | "hours" | "days" } | null } | null; rate_limits: { ingestion?: number; triggers?: number; in_app?: number; product?: number; new_people_per_hour?: number }; unverified_calls: { unsigned: number; invalid: number; claimed: number }; created_at: string; updated_at: string }>;
  };
}

export const routes: Record<string, Record<string, [route: string, takes: "body" | "query" | "text" | "nothing"]>> = {
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
    createRuns: ["POST /api/v1/campaigns/:id/runs", "body"],
    runs: ["GET /api/v1/campaigns/:id/runs", "query"],
    runsCancel: ["POST /api/v1/campaigns/:id/runs/cancel", "body"],
    run: ["GET /api/v1/campaigns/:id/runs/:run_id", "nothing"],
    metrics: ["GET /api/v1/campaigns/:id/metrics", "query"],
    runsMove: ["POST /api/v1/campaigns/:id/runs/:run_id/move", "body"],
    runsSkip: ["POST /api/v1/campaigns/:id/runs/:run_id/skip", "nothing"],
    runsRetry: ["POST /api/v1/campaigns/:id/runs/:run_id/retry", "nothing"],
    runsEnd: ["POST /api/v1/campaigns/:id/runs/:run_id/end", "nothing"],
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
    versionsRestore: ["POST /api/v1/email-templates/:id/versions/:version/restore", "nothing"],
    preview: ["POST /api/v1/email-templates/:id/preview", "body"],
  },
  events: {
    list: ["GET /api/v1/events", "query"],
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
    preview: ["POST /api/v1/in-app-messages/:id/preview", "body"],
    testSends: ["POST /api/v1/in-app-messages/:id/test-sends", "body"],
    testSend: ["GET /api/v1/in-app-messages/:id/test-sends/:delivery_id", "query"],
    recall: ["POST /api/v1/in-app-messages/:id/recall", "nothing"],
  },
  ingestion: {
    rejected: ["GET /api/v1/ingestion/rejected", "query"],
    rejectedCounts: ["GET /api/v1/ingestion/rejected/counts", "query"],
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
    activityExport: ["GET /api/v1/people/:person_id/activity/export", "query"],
    merge: ["POST /api/v1/people/:person_id/merge", "body"],
    subscriptions: ["GET /api/v1/people/:person_id/subscriptions", "nothing"],
    updateSubscriptions: ["PATCH /api/v1/people/:person_id/subscriptions", "body"],
    inApp: ["GET /api/v1/people/:person_id/in-app", "query"],
  },
  providers: {
    list: ["GET /api/v1/providers", "query"],
    create: ["POST /api/v1/providers", "body"],
    get: ["GET /api/v1/providers/:id", "nothing"],
    update: ["PATCH /api/v1/providers/:id", "body"],
    remove: ["DELETE /api/v1/providers/:id", "nothing"],
    test: ["POST /api/v1/providers/:id/test", "body"],
  },
  screens: {
    list: ["GET /api/v1/screens", "query"],
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
    preview: ["POST /api/v1/transactionals/:id/preview", "body"],
    metrics: ["GET /api/v1/transactionals/:id/metrics", "query"],
    contract: ["GET /api/v1/transactionals/:id/contract", "nothing"],
  },
  webhooks: {
    list: ["GET /api/v1/webhooks", "query"],
    create: ["POST /api/v1/webhooks", "body"],
    get: ["GET /api/v1/webhooks/:id", "nothing"],
    update: ["PATCH /api/v1/webhooks/:id", "body"],
    remove: ["DELETE /api/v1/webhooks/:id", "nothing"],
    secret: ["POST /api/v1/webhooks/:id/secret", "body"],
    test: ["POST /api/v1/webhooks/:id/test", "nothing"],
    deliveries: ["GET /api/v1/webhooks/:id/deliveries", "query"],
    replay: ["POST /api/v1/webhooks/:id/replay", "body"],
    deliveriesReplay: ["POST /api/v1/webhooks/:id/deliveries/:delivery_id/replay", "nothing"],
  },
  workspace: {
    get: ["GET /api/v1/workspace", "nothing"],
    update: ["PATCH /api/v1/workspace", "body"],
  },
};
