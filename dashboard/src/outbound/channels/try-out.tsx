import type { ConversationStep, ProviderTested, TestCause } from "@tidings/contract/messages/outbound";
import { Button, Group, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Static } from "typebox";
import { queries } from "../../platform/call/queries.ts";
import { Refusal } from "../../platform/call/refusal.ts";
import { useWorkspace } from "../../platform/call/workspace.ts";
import { FormProblem } from "../../platform/form/parts.tsx";
import { useTexts } from "../../platform/language/texts.ts";
import { Note, Section } from "../../platform/look/parts.tsx";
import css from "./channels.module.css";
import { Conversation } from "./conversation.tsx";
import { texts } from "./texts.ts";
import type { Provider } from "./values.ts";

type Tested = Static<typeof ProviderTested>;
/** What the refusal of a test tells besides. */
interface Refused {
  cause?: TestCause;
  conversation?: ConversationStep[];
}

interface TryOutProps {
  provider: Provider;
  mayChange: boolean;
  /** Tries the connection at once. */
  now: boolean;
  /** Opens the form at a field, which says what is wrong with it. */
  onCorrect: (field: string, message: string) => void;
}

/** Tests a provider and shows the conversation, with the verdict and what to do. */
export function TryOut({ provider, mayChange, now, onCorrect }: TryOutProps) {
  const t = useTexts(texts);
  const open = useWorkspace();
  const [to, setTo] = useState("");
  const test = useMutation({
    mutationFn: async (recipient: string) =>
      (
        await open.call<Tested>("POST", `/providers/${provider.id}/test`, {
          body: recipient === "" ? {} : { to: recipient },
        })
      ).body,
    onSettled: () => queries.invalidateQueries({ queryKey: [open.id, "/providers"] }),
  });
  const begun = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is opened for that
  useEffect(() => {
    if (!now || begun.current || !mayChange) return;
    begun.current = true;
    test.mutate("");
  }, [now]);
  const recipient = to.trim();
  return (
    <Section title={t("testTitle")}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          test.mutate(recipient);
        }}
      >
        <TextInput
          label={t(`to_${provider.channel}`)}
          description={mayChange ? t("testLead") : t("onlyOwners")}
          disabled={!mayChange}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Group mt="sm">
          <Button type="submit" disabled={!mayChange} loading={test.isPending}>
            {t(recipient === "" ? "tryConnection" : "trySend")}
          </Button>
        </Group>
      </form>
      <div className={css.result} aria-live="polite">
        {test.data && !test.isPending && (
          <>
            <Note tone="good">
              <strong>{t("works")}</strong> {t(test.variables === "" ? "connected" : "sentTest")}
            </Note>
            <Conversation steps={test.data.conversation} />
          </>
        )}
        {test.error && !test.isPending && <Failed error={test.error} {...(mayChange && { onCorrect })} />}
      </div>
    </Section>
  );
}

function Failed({ error, onCorrect }: { error: Error; onCorrect?: TryOutProps["onCorrect"] }) {
  const t = useTexts(texts);
  const { cause, conversation } = error instanceof Refusal ? (error.body as Refused) : {};
  if (!cause) return <FormProblem problem={error} />;
  const field = error instanceof Refusal ? error.body.errors?.[0] : undefined;
  return (
    <>
      <Note tone="bad" role="alert">
        <strong>{t(`cause_${cause}`)}</strong>
        <p className={css.said}>
          <q>{field?.message ?? error.message}</q>
        </p>
        <p className={css.said}>{t(`do_${cause}`)}</p>
        {field?.pointer && onCorrect && (
          <Button
            size="xs"
            variant="default"
            onClick={() => onCorrect((field.pointer as string).slice(1), field.message)}
          >
            {t("correct")}
          </Button>
        )}
      </Note>
      {conversation && conversation.length > 0 && <Conversation steps={conversation} />}
    </>
  );
}
