import type { Session } from "./session.ts";

export function Login({ people, onLogin }: { people: Session["people"]; onLogin: (personId: string) => void }) {
  return (
    <main className="login">
      <h1>Kettle &amp; Leaf</h1>
      <p>Who are you today?</p>
      <ul>
        {people.map(({ person_id, name }) => (
          <li key={person_id}>
            <button onClick={() => onLogin(person_id)} type="button">
              {name}
            </button>
          </li>
        ))}
      </ul>
    </main>
  );
}
