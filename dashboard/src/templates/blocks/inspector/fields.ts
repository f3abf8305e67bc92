import type { Kind } from "../list/block.ts";
import type { fieldTexts } from "../texts.ts";

/** An attribute of MJML as a field. */
export interface Field {
  attribute: string;
  label: keyof typeof fieldTexts;
  hint?: keyof typeof fieldTexts;
  is: "text" | "color" | "size" | "choice" | "image";
  choices?: readonly (keyof typeof fieldTexts)[];
}

const align: Field = { attribute: "align", label: "align", is: "choice", choices: ["left", "center", "right"] };
const padding: Field = { attribute: "padding", label: "padding", hint: "paddingHint", is: "text" };
const color: Field = { attribute: "color", label: "color", is: "color" };
const background: Field = { attribute: "background-color", label: "backgroundColor", is: "color" };
const behind: Field = { attribute: "container-background-color", label: "backgroundColor", is: "color" };
const fontSize: Field = { attribute: "font-size", label: "fontSize", is: "size" };
const lineHeight: Field = { attribute: "line-height", label: "lineHeight", is: "size" };
const fontFamily: Field = { attribute: "font-family", label: "fontFamily", hint: "fontFamilyHint", is: "text" };
const width: Field = { attribute: "width", label: "width", is: "size" };
const radius: Field = { attribute: "border-radius", label: "borderRadius", is: "size" };
const cssClass: Field = { attribute: "css-class", label: "cssClass", is: "text" };
const href: Field = { attribute: "href", label: "href", is: "text" };

interface Fields {
  main: readonly Field[];
  more: readonly Field[];
}
const words: Fields = {
  main: [color, fontSize, align],
  more: [lineHeight, fontFamily, behind, padding, cssClass],
};
const box: Fields = { main: [background], more: [padding, radius, cssClass] };

/** The fields of each kind of block, those that one needs often first. */
export const fieldsOf: Record<Kind, Fields> = {
  text: words,
  heading: words,
  button: {
    main: [href, { attribute: "background-color", label: "buttonColor", is: "color" }, color, align],
    more: [
      fontSize,
      radius,
      width,
      { attribute: "inner-padding", label: "innerPadding", hint: "paddingHint", is: "text" },
      behind,
      padding,
      cssClass,
    ],
  },
  image: {
    main: [
      { attribute: "src", label: "src", is: "image" },
      { attribute: "alt", label: "alt", hint: "altHint", is: "text" },
      href,
      width,
      align,
    ],
    more: [radius, behind, padding, cssClass],
  },
  divider: {
    main: [
      { attribute: "border-color", label: "lineColor", is: "color" },
      { attribute: "border-width", label: "borderWidth", is: "size" },
    ],
    more: [width, behind, padding, cssClass],
  },
  spacer: { main: [{ attribute: "height", label: "height", is: "size" }], more: [behind, cssClass] },
  section: box,
  wrapper: box,
  hero: box,
  group: { main: [background], more: [width, cssClass] },
  column: {
    main: [
      width,
      background,
      { attribute: "vertical-align", label: "verticalAlign", is: "choice", choices: ["top", "middle", "bottom"] },
    ],
    more: [padding, radius, cssClass],
  },
  repeat: { main: [], more: [] },
  condition: { main: [], more: [] },
  code: { main: [], more: [] },
};
