/** What the shop's own server says of this visit. */
export interface Session {
  tidings: { baseUrl: string; publicKey: string };
  people: { person_id: string; name: string }[];
  person: { person_id: string; name: string } | null;
}

async function ask(path: string, body?: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(path, body ? { method: "POST", headers, body: JSON.stringify(body) } : {});
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response;
}

export const readSession = async (): Promise<Session> => (await ask("/shop/session")).json();
export const login = async (personId: string): Promise<Session> =>
  (await ask("/shop/login", { person_id: personId })).json();
export const logout = async (): Promise<Session> => (await ask("/shop/logout", {})).json();

/** Signed by our server for whom it knows to be logged in; nobody can ask for another one's. */
export const fetchPersonToken = async (): Promise<string> => (await ask("/shop/person-token", {})).text();

/** Asks our server to send the person one more of the messages. */
export const sendMyself = (name: string) => ask("/shop/send", { name });
