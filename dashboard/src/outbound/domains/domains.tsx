import type { SenderDomains } from "@tidings/contract/messages/sender-domains";
import { Button } from "@mantine/core";
import type { Static } from "typebox";
import { useList } from "../../platform/call/queries.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Item, Lines, List, Section } from "../../platform/look/parts.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import { DomainReport } from "./domain-report.tsx";
import { texts } from "./texts.ts";

type Domain = Static<typeof SenderDomains>["data"][number];

interface DomainsProps {
  /** The one whose report is open. */
  open: string | undefined;
  onOpen: (domain: string | undefined) => void;
}

/** The domains that email is sent from, and what their DNS says. */
export function Domains({ open, onOpen }: DomainsProps) {
  const t = useTexts(texts);
  const list = useList<Domain>("/sender-domains");
  return (
    <Section title={t("domains")}>
      <p className="quiet">{t("domainsLead")}</p>
      <Answer of={list} loading={<Loading rows={2} height={32} />}>
        {() =>
          list.rows.length === 0 ? (
            <p className="quiet">{t("noDomains")}</p>
          ) : (
            <List>
              {list.rows.map(({ domain, used_by }) => (
                <Item key={domain} wrap>
                  <Lines>
                    <span>{domain}</span>
                    <span className="quiet">{used_by.map((use) => t(`use_${use}`)).join(" · ")}</span>
                  </Lines>
                  <Button
                    size="xs"
                    variant="default"
                    aria-expanded={open === domain}
                    aria-label={`${t(open === domain ? "hide" : "check")}: ${domain}`}
                    onClick={() => onOpen(open === domain ? undefined : domain)}
                  >
                    {t(open === domain ? "hide" : "check")}
                  </Button>
                </Item>
              ))}
            </List>
          )
        }
      </Answer>
      {open && <DomainReport key={open} domain={open} />}
    </Section>
  );
}
