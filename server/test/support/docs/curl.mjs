// A curl for the snippets of the pages, where the machine has none: an answer other than 2xx is a failure.
const given = process.argv.slice(2);
const headers = {};
let method;
let body;
let url;
for (let i = 0; i < given.length; i++) {
  const next = () => given[++i] ?? "";
  if (given[i] === "-X") method = next();
  else if (given[i] === "-d") body = next();
  else if (given[i] === "-s") continue;
  else if (given[i] === "-H") {
    const [name, value] = next().split(/: (.*)/s);
    headers[name] = value;
  } else url = given[i];
}
const answer = await fetch(url, { method: method ?? (body === undefined ? "GET" : "POST"), headers, body });
console.log(answer.status, await answer.text());
process.exitCode = answer.ok ? 0 : 22;
