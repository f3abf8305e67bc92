import type { ReactNode } from "react";
import type { LiquidScope } from "../liquid/scope.ts";
import { type Content, textIn, withText } from "./content.ts";

/** What a field that chooses an email template is given. */
export interface TemplateFieldProps {
  label: string;
  value: string;
  onChange: (id: string) => void;
  error?: string | undefined;
  disabled?: boolean;
}

export interface ContentFieldsProps {
  channel: "email" | "push" | "sms";
  value: Content;
  onChange: (next: Content) => void;
  /** The refusal of a field, such as `subject`. */
  errorOf: (field: string) => string | undefined;
  scope: LiquidScope;
  /** Where the content is in the body of the call: with it the form finds the field that was refused. */
  at?: string;
  off?: boolean;
  /** Chooses an email template. Without it an email has its own HTML. */
  templateField?: ((props: TemplateFieldProps) => ReactNode) | undefined;
  /** Whether an SMS may go to another number than the person's. */
  withRecipient?: boolean;
}

/** What each field of a content is given. */
export const fieldOf =
  ({ value, onChange, errorOf, scope, at = "content", off = false }: ContentFieldsProps) =>
  (field: string) => ({
    name: `${at}/${field}`,
    value: textIn(value, field),
    onChange: (text: string) => onChange(withText(value, field, text)),
    error: errorOf(field),
    scope,
    readOnly: off,
  });
