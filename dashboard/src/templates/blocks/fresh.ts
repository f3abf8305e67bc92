import type { Say } from "../../platform/language/texts.ts";
import type { IconName } from "../../platform/look/icons.tsx";
import type { Holds } from "./list/block.ts";
import { encoded } from "./mjml/entities.ts";
import type { freshTexts } from "./texts.ts";

type Saying = Say<typeof freshTexts>;

interface Fresh {
  name: keyof typeof freshTexts;
  level: Holds;
  icon: IconName;
  /** What is written into the email. */
  text: (t: Saying) => string;
}

const HEADING = "margin: 0; font-size: 24px; line-height: 32px";
const columns = (count: number): string =>
  `<mj-section>\n${"  <mj-column>\n    <mj-text>…</mj-text>\n  </mj-column>\n".repeat(count)}</mj-section>`;

/** The blocks that can be added, in the order of the menu. */
export const fresh: readonly Fresh[] = [
  {
    name: "heading",
    level: "content",
    icon: "text",
    text: (t) => `<mj-text>\n  <h2 style="${HEADING}">${encoded(t("newHeading"))}</h2>\n</mj-text>`,
  },
  {
    name: "text",
    level: "content",
    icon: "menu",
    text: (t) => `<mj-text font-size="16px" line-height="24px">${encoded(t("newText"))}</mj-text>`,
  },
  {
    name: "button",
    level: "content",
    icon: "play",
    text: (t) => `<mj-button href="https://" font-size="16px">${encoded(t("newButton"))}</mj-button>`,
  },
  { name: "image", level: "content", icon: "image", text: () => '<mj-image src="" alt="" />' },
  {
    name: "divider",
    level: "content",
    icon: "minus",
    text: () => '<mj-divider border-width="1px" border-color="#d4d4cf" />',
  },
  { name: "spacer", level: "content", icon: "updown", text: () => '<mj-spacer height="24px" />' },
  { name: "code", level: "content", icon: "window", text: () => "<mj-raw>\n  <p>…</p>\n</mj-raw>" },
  { name: "section", level: "sections", icon: "window", text: () => columns(1) },
  { name: "two", level: "sections", icon: "window", text: () => columns(2) },
  { name: "three", level: "sections", icon: "window", text: () => columns(3) },
  {
    name: "items",
    level: "sections",
    icon: "menu",
    text: () => `{% for item in trigger.items %}
<mj-section padding="0">
  <mj-group>
    <mj-column width="70%">
      <mj-text font-size="16px" line-height="24px">{{ item.name }}</mj-text>
    </mj-column>
    <mj-column width="30%">
      <mj-text font-size="16px" line-height="24px" align="right">{{ item.price }}</mj-text>
    </mj-column>
  </mj-group>
</mj-section>
{% endfor %}`,
  },
  {
    name: "footer",
    level: "sections",
    icon: "mail",
    text: (t) => `<mj-section>
  <mj-column>
    <mj-text align="center" font-size="13px" line-height="20px" color="#62635f"><a href="{{ unsubscribe_url }}" style="color: inherit">${encoded(t("newUnsubscribe"))}</a> · <a href="{{ preferences_url }}" style="color: inherit">${encoded(t("newPreferences"))}</a></mj-text>
  </mj-column>
</mj-section>`,
  },
];
