import type { Format } from "@tidings/contract/messages/templates";
import type { Say } from "../../platform/language/texts.ts";
import type { texts } from "../texts.ts";

type Saying = Say<typeof texts>;

/** Returns the first text of a body. In a layout it is only what stands in its place. */
export function starterBody(format: Format, inLayout: boolean, t: Saying): string {
  const hello = t("starter_hello", { name: `{{ person.first_name | default: "${t("starter_there")}" }}` });
  const unsubscribe = `<a href="{{ unsubscribe_url }}">${t("starter_unsubscribe")}</a>`;
  if (format === "html") {
    const foot = inLayout ? "" : `<p>${unsubscribe}</p>\n`;
    return `<p>${hello}</p>\n<p>${t("starter_text")}</p>\n${foot}`;
  }
  const foot = inLayout ? "" : `      <mj-text>${unsubscribe}</mj-text>\n`;
  const section = `<mj-section>
    <mj-column>
      <mj-text>${hello}</mj-text>
      <mj-text>${t("starter_text")}</mj-text>
${foot}    </mj-column>
  </mj-section>`;
  return inLayout
    ? `${section.replaceAll(/^ {2}/gm, "")}\n`
    : `<mjml>\n <mj-body>\n  ${section}\n </mj-body>\n</mjml>\n`;
}

/** Returns the first text of a layout. */
export function starterLayout(format: Format, t: Saying): string {
  const unsubscribe = `<a href="{{ unsubscribe_url }}">${t("starter_unsubscribe")}</a>`;
  if (format === "html")
    return `<div style="max-width: 600px; margin: 0 auto; padding: 24px; font-family: Arial, sans-serif;">
  {{ content }}
  <p>${unsubscribe}</p>
</div>
`;
  return `<mjml>
  <mj-body>
    {{ content }}
    <mj-section>
      <mj-column>
        <mj-text>${unsubscribe}</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;
}
