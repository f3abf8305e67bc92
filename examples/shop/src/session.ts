/** The data of this visit from the shop's own server. */
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

/** Our server signs it for the logged-in person; nobody can get another person's token. */
export const fetchPersonToken = async (): Promise<string> => (await ask("/shop/person-token", {})).text();

/** Asks our server to send one more of the messages to the person. */
export const sendMyself = (name: string) => ask("/shop/send", { name });
