import { type Texts, useTexts } from "../language/texts.ts";
import { Disclosure } from "../look/disclosure.tsx";
import { Section } from "../look/parts.tsx";
import { curlOf, nodeOf, type WrittenCall } from "./call-text.ts";
import { Samples } from "./samples.tsx";

const texts = { asCall: ["As a call", "Als Aufruf"] } satisfies Texts;

/** How a program does what is on the screen. The title says what that is, where a room shows two calls. */
export function AsCall({ of, title }: { of: WrittenCall; title?: string }) {
  const t = useTexts(texts);
  return (
    <Section title={title ?? t("asCall")}>
      <CallSamples of={of} />
    </Section>
  );
}

/** Shows a call closed at first, where fields and buttons need the room. */
export function FoldedCall({ of }: { of: WrittenCall }) {
  const t = useTexts(texts);
  return (
    <Disclosure title={t("asCall")}>
      <CallSamples of={of} />
    </Disclosure>
  );
}

const CallSamples = ({ of }: { of: WrittenCall }) => <Samples of={{ curl: curlOf(of), "Node.js": nodeOf(of) }} />;
