import type { DnsRecord, DomainCheck, SenderDomainReport } from "@tidings/contract/messages/sender-domains";
import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useRead } from "../../platform/call/queries.ts";
import { useFormat } from "../../platform/language/format.ts";
import { useTexts } from "../../platform/language/texts.ts";
import { Badge, Card } from "../../platform/look/parts.tsx";
import { Copy } from "../../platform/states/copy.tsx";
import { Answer, Loading } from "../../platform/states/states.tsx";
import css from "./domains.module.css";
import { findingTexts } from "./finding-texts.ts";
import { texts } from "./texts.ts";

const TONES = { good: "good", warning: "warn", bad: "bad", unknown: "plain" } as const;

/** What the DNS says about a domain, in words, with the records to publish. */
export function DomainReport({ domain }: { domain: string }) {
  const t = useTexts(texts);
  const format = useFormat();
  const [selector, setSelector] = useState("");
  const read = useRead<SenderDomainReport>(
    `/sender-domains/${encodeURIComponent(domain)}`,
    selector === "" ? {} : { selector },
  );
  return (
    <section className={css.report} aria-label={domain} aria-busy={read.isFetching}>
      <Answer of={read} loading={<Loading rows={8} />}>
        {(report) => (
          <>
            <div className={css.reportHead}>
              <span className="quiet">{t("checkedAt", { time: format.time(report.checked_at) })}</span>
              <Button size="xs" variant="default" loading={read.isFetching} onClick={() => void read.refetch()}>
                {t("again")}
              </Button>
            </div>
            <div className={css.checks}>
              {report.checks.map((check) => (
                <Check key={check.what} check={check}>
                  {check.what === "dkim" && <Selector given={selector} onLook={setSelector} />}
                </Check>
              ))}
            </div>
          </>
        )}
      </Answer>
    </section>
  );
}

function Check({ check, children }: { check: DomainCheck; children: React.ReactNode }) {
  const t = useTexts(texts);
  const say = useTexts(findingTexts);
  return (
    <Card>
      <div className={css.checkHead}>
        <h3>{t(check.what)}</h3>
        <Badge tone={TONES[check.verdict]}>{t(check.verdict)}</Badge>
      </div>
      <ul className={css.findings}>
        {check.findings.map(({ code, verdict, values }) => (
          <li key={`${code} ${JSON.stringify(values)}`} data-tone={TONES[verdict]}>
            {verdict !== "good" && <span className="visually-hidden">{t(verdict)}: </span>}
            {say(code, values)}
          </li>
        ))}
      </ul>
      {children}
      {check.records.length > 0 && <Records title={t("published")} records={check.records} />}
      {check.publish.length > 0 && <Records title={t("publish")} records={check.publish} marked />}
    </Card>
  );
}

function Records({ title, records, marked = false }: { title: string; records: DnsRecord[]; marked?: boolean }) {
  const t = useTexts(texts);
  return (
    <div className={css.records} data-marked={marked}>
      <h4>{title}</h4>
      {records.map(({ name, type, value }) => (
        <dl key={`${name} ${value}`}>
          <dt>{t("recordName")}</dt>
          <dd>
            <code>{name}</code>
            <Copy value={name} what={t("recordName")} />
          </dd>
          <dt>{t("recordType")}</dt>
          <dd>
            <code>{type}</code>
          </dd>
          <dt>{t("recordValue")}</dt>
          <dd>
            <code>{value}</code>
            <Copy value={value} what={t("recordValue")} />
          </dd>
        </dl>
      ))}
    </div>
  );
}

/** Looks at a key by the name that the provider shows: keys can't be listed. */
function Selector({ given, onLook }: { given: string; onLook: (selector: string) => void }) {
  const t = useTexts(texts);
  const [typed, setTyped] = useState(given);
  const look = (event: FormEvent) => {
    event.preventDefault();
    onLook(typed.trim());
  };
  return (
    <form className={css.selector} onSubmit={look}>
      <TextInput
        label={t("selector")}
        description={t("selectorHint")}
        value={typed}
        maxLength={63}
        pattern="[A-Za-z0-9]([A-Za-z0-9._\-]*[A-Za-z0-9])?"
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {t("look")}
      </Button>
    </form>
  );
}
