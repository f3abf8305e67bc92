import { decoded } from "../mjml/entities.ts";
import { attributeOf, type Element, elementsIn } from "../mjml/tree.ts";
import type { Email } from "./block.ts";

/** What MJML takes where an email says nothing. */
export const MJML_DEFAULTS: Record<string, Record<string, string>> = {
  "mj-body": { width: "600px" },
  "mj-section": { padding: "20px 0" },
  "mj-wrapper": { padding: "20px 0" },
  "mj-text": {
    padding: "10px 25px",
    color: "#000000",
    "font-size": "13px",
    "line-height": "1",
    "font-family": "Ubuntu, Helvetica, Arial, sans-serif",
    align: "left",
  },
  "mj-button": {
    padding: "10px 25px",
    "inner-padding": "10px 25px",
    color: "#ffffff",
    "background-color": "#414141",
    "font-size": "13px",
    "font-family": "Ubuntu, Helvetica, Arial, sans-serif",
    "border-radius": "3px",
    align: "center",
  },
  "mj-image": { padding: "10px 25px", align: "center" },
  "mj-divider": {
    padding: "10px 25px",
    "border-width": "4px",
    "border-color": "#000000",
    "border-style": "solid",
    width: "100%",
  },
  "mj-spacer": { height: "20px" },
  "mj-hero": { padding: "0px" },
};

/** Returns what an attribute of an element comes to: its own, its class's, the email's, or MJML's. */
export type Look = (element: Element, name: string) => string | undefined;

/** Reads what the head of an email says about all elements. */
export function looksOf(email: Email): Look {
  const defaults = new Map<string, Element>();
  const classes = new Map<string, Element>();
  for (const { name, children } of elementsIn(email.nodes)) {
    if (name !== "mj-attributes") continue;
    for (const child of children) {
      if (child.kind !== "element") continue;
      if (child.name === "mj-class") classes.set(attributeOf(child, "name")?.raw ?? "", child);
      else defaults.set(child.name, child);
    }
  }
  const of = (element: Element | undefined, name: string) => {
    const raw = element && attributeOf(element, name)?.raw;
    return raw === undefined ? undefined : decoded(raw);
  };
  return (element, name) => {
    const given = (attributeOf(element, "mj-class")?.raw ?? "").split(/\s+/).toReversed();
    return (
      of(element, name) ??
      given.map((one) => of(classes.get(one), name)).find((value) => value !== undefined) ??
      of(defaults.get(element.name), name) ??
      of(defaults.get("mj-all"), name) ??
      MJML_DEFAULTS[element.name]?.[name]
    );
  };
}
