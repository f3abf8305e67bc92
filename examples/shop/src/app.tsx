import { TidingsOutlet, TidingsProvider, useScreen } from "@tidings/react";
import { useEffect, useMemo, useState } from "react";
import { Header } from "./header.tsx";
import { Login } from "./login.tsx";
import { Cart, Home, Pay, ProductPage, Profile } from "./pages.tsx";
import { go, screenOf, usePath } from "./routes.ts";
import { fetchPersonToken, login, logout, readSession, type Session } from "./session.ts";

export function App() {
  const [session, setSession] = useState<Session>();
  useEffect(() => {
    readSession().then(setSession, console.error);
  }, []);
  if (!session) return null;
  if (!session.person)
    return <Login people={session.people} onLogin={async (personId) => setSession(await login(personId))} />;
  return <Shop onLogout={async () => setSession(await logout())} session={session} />;
}

function Shop({ session, onLogout }: { session: Session; onLogout: () => void }) {
  const [coupon, setCoupon] = useState<string>();
  const personId = session.person?.person_id;
  const { baseUrl, publicKey } = session.tidings;
  const options = useMemo(
    () => ({ baseUrl, apiKey: publicKey, personId, getPersonToken: fetchPersonToken, onError: console.error }),
    [baseUrl, publicKey, personId],
  );
  return (
    <TidingsProvider
      onCustom={(value) => value.startsWith("coupon:") && setCoupon(value.slice(7))}
      // The shop's own addresses stay in the application; the browser opens all others.
      onDeepLink={(link) => (link.startsWith("/") ? go(link) : false)}
      options={options}
    >
      <Screens coupon={coupon} name={session.person?.name ?? ""} onLogout={onLogout} />
      <TidingsOutlet banner="bottom" />
    </TidingsProvider>
  );
}

function Screens({ coupon, name, onLogout }: { coupon: string | undefined; name: string; onLogout: () => void }) {
  const path = usePath();
  useScreen(screenOf(path));
  const [first = "", second = ""] = path.slice(1).split("/");
  return (
    <>
      <Header />
      <main>
        {first === "product" ? (
          <ProductPage coupon={coupon} id={second} />
        ) : path === "/checkout/cart" ? (
          <Cart coupon={coupon} />
        ) : path === "/checkout/pay" ? (
          <Pay coupon={coupon} />
        ) : path === "/profile" ? (
          <Profile name={name} onLogout={onLogout} />
        ) : (
          <Home />
        )}
      </main>
    </>
  );
}
