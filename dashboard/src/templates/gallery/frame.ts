import type { Say } from "../../platform/language/texts.ts";
import type { texts } from "./texts.ts";

// The parts that the templates of the gallery are made of: sections of cards on a quiet ground, readable in light and dark, at 600 px and on a
// phone, without an image that somebody would have to host.

export type Saying = Say<typeof texts>;

/** What mail programs in dark get. Those that know no such styles show the light email, or turn its colours round themselves. */
const DARK = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
      h1, h2 { font-weight: 600; }
      @media (prefers-color-scheme: dark) {
        body, .page { background-color: #131513 !important; }
        .card, .card > table { background: #1e1f1d !important; background-color: #1e1f1d !important; }
        .soft, .soft > table { background: #272926 !important; background-color: #272926 !important; }
        .ink div, .ink h1, .ink h2, .ink p { color: #e7e7e3 !important; }
        .quiet div, .quiet a { color: #b5b5af !important; }
        .ink a { color: #7fbfb2 !important; }
        .line p { border-top-color: #484a47 !important; }
      }
      [data-ogsb] .card, [data-ogsb] .card > table { background-color: #1e1f1d !important; }
      [data-ogsc] .ink div, [data-ogsc] .ink h1, [data-ogsc] .ink h2 { color: #e7e7e3 !important; }
      [data-ogsc] .quiet div, [data-ogsc] .quiet a { color: #b5b5af !important; }`;

const FONTS = "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

/** A whole email: the sender's name, the sections, and at the end who sent it. */
export function emailOf(t: Saying, title: string, sections: string[], foot: "service" | "marketing"): string {
  return `<mjml>
  <mj-head>
    <mj-title>${title}</mj-title>
    <mj-attributes>
      <mj-all font-family="${FONTS}" />
      <mj-section padding="0" />
      <mj-text padding="8px 32px" font-size="16px" line-height="24px" color="#333432" />
      <mj-button padding="16px 32px" inner-padding="12px 24px" align="left" background-color="#0f6b5f" color="#ffffff" font-size="16px" font-weight="600" border-radius="6px" />
      <mj-divider padding="8px 32px" border-width="1px" border-color="#e5e5e1" />
    </mj-attributes>
    <mj-raw>
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
    </mj-raw>
    <mj-style>
      ${DARK}
    </mj-style>
  </mj-head>
  <mj-body width="600px" background-color="#f0f0ed" css-class="page">
    <mj-section padding="24px 0 12px">
      <mj-column>
        <mj-text css-class="ink" font-weight="600" color="#0b5a50">${t("company")}</mj-text>
      </mj-column>
    </mj-section>
${sections.join("\n")}
    <mj-section padding="16px 0 32px">
      <mj-column>
        <mj-text css-class="quiet" font-size="13px" line-height="20px" color="#62635f">${footOf(t, foot)}</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;
}

const LINK = 'style="color: #62635f"';

function footOf(t: Saying, foot: "service" | "marketing"): string {
  if (foot === "service") return `${t("footService")}<br />${t("footAddress")}`;
  const ways = `<a href="{{ unsubscribe_url }}" ${LINK}>${t("unsubscribe")}</a> · <a href="{{ preferences_url }}" ${LINK}>${t("preferences")}</a>`;
  return `${t("footMarketing")}<br />${ways}<br />${t("footAddress")}`;
}

/** A section on a card. */
export const card = (
  ...content: string[]
): string => `    <mj-section css-class="card" background-color="#ffffff" padding="16px 0">
      <mj-column>
${content.map((one) => `        ${one}`).join("\n")}
      </mj-column>
    </mj-section>`;

export const title = (text: string): string =>
  `<mj-text css-class="ink"><h1 style="margin: 0; font-size: 26px; line-height: 34px">${text}</h1></mj-text>`;

export const subtitle = (text: string): string =>
  `<mj-text css-class="ink"><h2 style="margin: 0; font-size: 18px; line-height: 26px">${text}</h2></mj-text>`;

export const words = (text: string): string => `<mj-text css-class="ink">${text}</mj-text>`;

export const small = (text: string): string =>
  `<mj-text css-class="quiet" font-size="14px" line-height="20px" color="#62635f">${text}</mj-text>`;

export const button = (label: string, href: string): string => `<mj-button href="${href}">${label}</mj-button>`;

export const line = '<mj-divider css-class="line" />';

/** A row of a name and a value at its end, which stay beside each other on a phone. */
export const row = (name: string, value: string, strong = false): string => {
  const weight = strong ? ' font-weight="600"' : "";
  return `    <mj-section css-class="card" background-color="#ffffff">
      <mj-group>
        <mj-column width="65%">
          <mj-text css-class="ink" padding="4px 8px 4px 32px"${weight}>${name}</mj-text>
        </mj-column>
        <mj-column width="35%">
          <mj-text css-class="ink" padding="4px 32px 4px 8px" align="right"${weight}>${value}</mj-text>
        </mj-column>
      </mj-group>
    </mj-section>`;
};

/** A section once for each entry of a list of the call. */
export const each = (name: string, list: string, section: string): string =>
  `    {% for ${name} in ${list} %}\n${section}\n    {% endfor %}`;

/** A section that shows only under a condition. */
export const when = (condition: string, section: string): string =>
  `    {% if ${condition} %}\n${section}\n    {% endif %}`;
