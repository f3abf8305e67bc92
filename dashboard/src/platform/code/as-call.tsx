import { type Texts, useTexts } from "../language/texts.ts";
import { Section } from "../look/parts.tsx";
import { curlOf, nodeOf, type WrittenCall } from "./call-text.ts";
import { Samples } from "./samples.tsx";

const texts = { asCall: ["As a call", "Als Aufruf"] } satisfies Texts;

/** How a program does what is on the screen. */
export function AsCall({ of }: { of: WrittenCall }) {
  const t = useTexts(texts);
  return (
    <Section title={t("asCall")}>
      <Samples of={{ curl: curlOf(of), "Node.js": nodeOf(of) }} />
    </Section>
  );
}
