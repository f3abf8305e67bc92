import type { WebhookTested } from "@tidings/contract/webhooks";
import { Button, Group, Modal } from "@mantine/core";
import type { Static } from "typebox";
import { useTexts } from "../platform/language/texts.ts";
import { Note, Source } from "../platform/look/parts.tsx";
import { texts } from "./texts.ts";

/** What the endpoint answered to a test. */
export function TryOut({ tested, onClose }: { tested: Static<typeof WebhookTested>; onClose: () => void }) {
  const t = useTexts(texts);
  const { ok, status, answer, error, duration_ms: ms } = tested;
  const said =
    status === null
      ? t("tryNone", { error: error ?? "" })
      : t(ok ? "tryGood" : "tryBad", { status: String(status), ms });
  return (
    <Modal opened onClose={onClose} title={t("tryIt")} size="lg">
      <Note tone={ok ? "good" : "bad"} role={ok ? undefined : "alert"}>
        {said} {status !== null && error && <q>{error}</q>}
      </Note>
      <p className="quiet">{t("tryLead")}</p>
      {status !== null && (answer ? <Source text={answer} /> : <p className="quiet">{t("emptyAnswer")}</p>)}
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose} data-autofocus>
          {t("close")}
        </Button>
      </Group>
    </Modal>
  );
}
