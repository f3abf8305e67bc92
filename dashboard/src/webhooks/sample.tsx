import { Samples } from "../platform/code/samples.tsx";
import { useTexts } from "../platform/language/texts.ts";
import { Section } from "../platform/look/parts.tsx";
import { texts } from "./texts.ts";

const SAMPLES = {
  "Node.js": `import { Webhook } from "standardwebhooks";

// The raw body: a parser may change it, and then the signature is another one.
app.post("/tidings", express.raw({ type: "application/json" }), (request, response) => {
  const event = new Webhook(process.env.TIDINGS_WEBHOOK_SECRET).verify(request.body, request.headers);
  response.sendStatus(204); // within 10 s; do the work afterwards
  handle(event); // event.id is the same at each repeat
});`,
  Python: `from standardwebhooks import Webhook

@app.post("/tidings")
def tidings():
    event = Webhook(os.environ["TIDINGS_WEBHOOK_SECRET"]).verify(request.get_data(), request.headers)
    queue(event)  # event["id"] is the same at each repeat
    return "", 204`,
  Go: `import standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

func tidings(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	wh, _ := standardwebhooks.NewWebhook(os.Getenv("TIDINGS_WEBHOOK_SECRET"))
	if err := wh.Verify(body, r.Header); err != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	w.WriteHeader(http.StatusNoContent) // within 10 s; do the work afterwards
}`,
} as const;

/** How a receiver verifies a call, ready to copy. */
export function Sample() {
  const t = useTexts(texts);
  return (
    <Section title={t("verify")}>
      <p className="quiet">{t("verifyLead")}</p>
      <Samples of={SAMPLES} />
    </Section>
  );
}
