import { domainToASCII } from "node:url";
import type { SenderDomainReport } from "@tidings/contract/messages/sender-domains";
import type { SettingsOf } from "@tidings/contract/messages/providers";
import type { Queries } from "../../platform/db/index.ts";
import type { Ground } from "../../platform/ground.ts";
import { notFound } from "../../platform/http/index.ts";
import { mailbox } from "../../platform/mailbox.ts";
import { type ProviderRow, providersFor } from "../connection/provider-store.ts";
import { examine, type Way } from "./examine.ts";
import { worst } from "./findings.ts";
import { dnsLookups } from "./lookups.ts";
import { senderOf } from "./senders.ts";

type Use = "default_sender" | "bounce_mailbox" | "provider";
type Workspace = { id: string; sender_defaults: { email_from?: string } };

const domainOf = (address: string | undefined): string | undefined => {
  const at = mailbox(address ?? "")
    ?.address.split("@")
    .at(-1);
  return at === undefined ? undefined : normal(at);
};
const normal = (domain: string): string => domainToASCII(domain.toLowerCase().replace(/\.$/, ""));

const bouncesOf = ({ kind, settings }: ProviderRow): string | undefined =>
  kind === "smtp" ? domainOf((settings as SettingsOf<"smtp">).bounce_mailbox?.address) : undefined;
const ofMailgun = ({ kind, settings }: ProviderRow): string | undefined =>
  kind === "mailgun" ? normal((settings as SettingsOf<"mailgun">).domain) : undefined;

/** Returns the domains that a workspace sends email from, as far as its settings name them, with what for. */
async function domainsOf(q: Queries, workspace: Workspace) {
  const providers = await providersFor(q, { workspaceId: workspace.id, channel: "email" });
  const uses = new Map<string, Set<Use>>();
  const use = (domain: string | undefined, by: Use) => {
    // A name without a dot is of the own network, and its DNS is nobody's business.
    if (domain?.includes(".")) uses.set(domain, (uses.get(domain) ?? new Set()).add(by));
  };
  use(domainOf(workspace.sender_defaults.email_from), "default_sender");
  for (const provider of providers) {
    use(bouncesOf(provider), "bounce_mailbox");
    use(ofMailgun(provider), "provider");
  }
  return { providers, uses };
}

/** Lists the domains that a workspace sends email from. It asks no DNS. */
export async function senderDomains(q: Queries, workspace: Workspace) {
  const { uses } = await domainsOf(q, workspace);
  return { data: [...uses].map(([domain, by]) => ({ domain, used_by: [...by] })), next_cursor: null };
}

/** A check asks up to 45 questions of 3 s at the most. It ends after this time with what is known by then. */
const CHECK_MS = 12_000;

/**
 * Looks at what the DNS says about a domain that the workspace sends from. Other domains are refused, so that nobody asks the name servers of
 * this network about anything else.
 * @throws Problem not_found, busy
 */
export async function checkSenderDomain(
  ground: Ground,
  workspace: Workspace,
  { domain: given, selector }: { domain: string; selector?: string | undefined },
): Promise<SenderDomainReport> {
  const domain = normal(given);
  const { providers, uses } = await domainsOf(ground.db, workspace);
  if (!uses.has(domain)) throw notFound("sender domain");
  const ways = providers.flatMap((provider): Way[] => {
    const sender = senderOf(provider.kind, provider.settings);
    if (!sender) return [];
    return [{ sender, envelope: bouncesOf(provider) ?? ofMailgun(provider) }];
  });
  const selectors = selector === undefined ? [] : [selector.toLowerCase()];
  return ground.shares.lookups.run(workspace.id, async () => {
    const lookups = dnsLookups();
    const timer = setTimeout(lookups.cancel, CHECK_MS);
    try {
      const checks = await examine({ domain, ways, selectors }, lookups);
      const verdict = worst(checks.map((check) => check.verdict));
      return { domain, checked_at: ground.clock.now().toISOString(), verdict, checks };
    } finally {
      clearTimeout(timer);
    }
  });
}
