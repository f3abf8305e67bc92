import { InAppBanner, InAppInline, InAppModal, TidingsOutlet, TidingsProvider, useScreen } from "@tidings/react";
import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import "@tidings/react/styles.css";
import { Login } from "../../src/login.tsx";
import { fetchPersonToken, login, readSession, type Session } from "../../src/session.ts";

// A mistake that some applications will make: every outlet twice on one web page.

function Places() {
  useScreen("home");
  const [first, setFirst] = useState(true);
  return (
    <>
      <nav>
        <button onClick={() => setFirst(false)} type="button">
          Take the first away
        </button>
      </nav>
      {first && <TidingsOutlet />}
      <InAppModal />
      <InAppBanner placement="bottom" />
      <TidingsOutlet banner="bottom" />
      <InAppInline />
      <InAppInline />
    </>
  );
}

function Page() {
  const [session, setSession] = useState<Session>();
  useEffect(() => {
    readSession().then(setSession, console.error);
  }, []);
  if (!session) return null;
  const { people, person, tidings } = session;
  if (!person) return <Login onLogin={async (personId) => setSession(await login(personId))} people={people} />;
  const options = { baseUrl: tidings.baseUrl, apiKey: tidings.publicKey, personId: person.person_id };
  return (
    <TidingsProvider options={{ ...options, getPersonToken: fetchPersonToken, onError: console.error }}>
      <Places />
    </TidingsProvider>
  );
}

const root = document.getElementById("page");
if (root)
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
