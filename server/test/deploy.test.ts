import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { variables } from "../src/platform/config.ts";
import { testService } from "./support/service.ts";

// Holds the files of deploy/ against what the service really reads, answers and serves.

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string): string => readFileSync(root + path, "utf8");
const described = JSON.parse(read("package.json"));

const composeFiles = ["deploy/compose/one-node.yaml", "deploy/compose/three-nodes.yaml"];
const units = ["deploy/systemd/tidings.service", "deploy/systemd/tidings@.service"];
const templates = readdirSync(`${root}deploy/helm/tidings/templates`).map(
  (name) => `deploy/helm/tidings/templates/${name}`,
);

/** What programs around the service read, which is none of its own variables. */
const OTHERS = ["NODE_ENV", "NODE_VERSION", "POSTGRES_PASSWORD", "NATS_PASSWORD"];

interface Compose {
  services: Record<string, { environment?: Record<string, unknown>; ports?: string[]; depends_on?: unknown }>;
}

/** Returns the names of variables that a file of deploy/ gives to the service. */
function given(path: string): string[] {
  const text = read(path);
  if (path.endsWith("Dockerfile"))
    return [...text.matchAll(/^(?:ENV| {3}) ([A-Z][A-Z0-9_]*)=/gm)].map(([, name = ""]) => name);
  if (path.includes("/compose/") && path.endsWith(".yaml"))
    return Object.entries((parse(text, { merge: true }) as Compose).services)
      .filter(([name]) => /^(tidings|node\d)$/.test(name))
      .flatMap(([, { environment }]) => Object.keys(environment ?? {}));
  if (path.endsWith(".service"))
    return [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = ""]) =>
      line.split(" ").map((one) => one.split("=")[0] as string),
    );
  if (path.includes("env.example")) return [...text.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = ""]) => name);
  return [
    ...text.matchAll(
      /\b(?:name: |env\.|hasKey \S+ ")([A-Z][A-Z0-9_]{2,})\b|"([A-Z][A-Z0-9]*_[A-Z0-9_]+|ROLES|PORT|HOST)"/g,
    ),
  ].map(([, one, other]) => (one ?? other) as string);
}

test.each([
  "deploy/Dockerfile",
  ...composeFiles,
  ...units,
  "deploy/systemd/tidings.env.example",
  "deploy/compose/env.example",
])("%s gives the service only variables that docs/config.md has", (path) => {
  const names = given(path).filter((name) => !OTHERS.includes(name));
  expect(names).not.toEqual([]);
  expect(names.filter((name) => !variables.includes(name))).toEqual([]);
});

test("the chart gives the service only variables that docs/config.md has", () => {
  const files = [...templates, "deploy/helm/tidings/values.yaml"].filter((path) => !path.endsWith("NOTES.txt"));
  const names = files.flatMap(given);
  expect(names).toEqual(expect.arrayContaining(["PUBLIC_URL", "ROLES", "OPERATIONS_PORT", "MEDIA_S3_BUCKET"]));
  expect(names.filter((name) => !variables.includes(name))).toEqual([]);
});

test("the image has the Node of package.json, belongs to no root, and copies only files that exist", () => {
  const text = read("deploy/Dockerfile");
  expect(text).toContain(`NODE_VERSION=${described.dependencies.node}\n`);
  expect(text).toMatch(/^USER 10001:10001$/m);
  const kept = read(".dockerignore");
  for (const [, from = ""] of text.matchAll(/^COPY (?!--from)(.+) \S+$/gm))
    for (const path of from.split(" ")) {
      expect(() => readdirSync(root).includes(path) || readFileSync(root + path), path).not.toThrow(/ENOENT/);
      const folder = path.replace(/\/(package\.json)?$/, "");
      expect(kept, path).toMatch(new RegExp(`^!${folder.replaceAll(".", "\\.")}$`, "m"));
    }
});

test("units and image start the service by the program that package.json names", () => {
  const { bin } = JSON.parse(read("server/package.json"));
  for (const unit of units)
    expect(read(unit)).toMatch(new RegExp(`^ExecStart=.*/node server/${bin.tidings} serve$`, "m"));
  expect(read("deploy/Dockerfile")).toContain(`ENTRYPOINT ["node", "server/${bin.tidings}"]`);
});

test("both units are hardened alike", () => {
  const [one, many] = units.map((unit) =>
    read(unit)
      .split("\n\n")
      .find((part) => part.startsWith("NoNewPrivileges")),
  );
  expect(one?.replace(/# No Memory.*\n?/, "").trim()).toBe(many?.trim());
});

test("the chart has the version of the service, and its schema knows each of its values", () => {
  const chart = parse(read("deploy/helm/tidings/Chart.yaml"));
  expect([chart.version, chart.appVersion]).toEqual([described.version, described.version]);
  interface Node {
    properties?: Record<string, Node>;
    $ref?: string;
    additionalProperties?: unknown;
  }
  const schema = JSON.parse(read("deploy/helm/tidings/values.schema.json")) as Node & { definitions: { pods: Node } };
  const unknown = (values: object, node: Node, at: string): string[] =>
    Object.entries(values).flatMap(([name, value]) => {
      const known = (node.$ref ? schema.definitions.pods : node).properties?.[name];
      if (!known) return node.properties || node.$ref ? [`${at}${name}`] : [];
      return typeof value === "object" && value !== null && !Array.isArray(value)
        ? unknown(value, known, `${at}${name}.`)
        : [];
    });
  const values = parse(read("deploy/helm/tidings/values.yaml"));
  expect(unknown(values, schema, "")).toEqual([]);
  // The other way: each value of the templates has a default.
  const used = templates.flatMap((path) =>
    [...read(path).matchAll(/\.Values\.([\w.]+)/g)].map(([, name = ""]) => name),
  );
  const has = (name: string) => name.split(".").reduce((at, part) => at?.[part], values) !== undefined;
  expect(used.length).toBeGreaterThan(20);
  expect([...new Set(used)].filter((name) => !has(name))).toEqual([]);
});

describe("of the running service", async () => {
  const it = await testService({ roles: "api,worker" });
  const served = it.service.ground.metrics.registry;

  test("the routes that probes and checks ask are there", () => {
    const files = [
      ...composeFiles,
      ...templates,
      "deploy/helm/tidings/values.yaml",
      "deploy/Dockerfile",
      "deploy/compose/haproxy.cfg",
    ];
    const asked = files.flatMap((path) =>
      [...read(path).matchAll(/(?<=[\s/}])\/(?:healthz|readyz|metrics)\b/g)].map(([url]) => url),
    );
    expect(new Set(asked)).toEqual(new Set(["/healthz", "/readyz", "/metrics"]));
    for (const url of asked) expect(it.service.app.hasRoute({ method: "GET", url }), url).toBe(true);
  });

  /** Returns what an expression names that no process serves: metrics, and labels of them. */
  async function unserved(expression: string): Promise<string[]> {
    const known = new Map<string, string[]>([["up", ["job", "instance"]]]);
    for (const { name, type } of await served.getMetricsAsJSON()) {
      const labels = (served.getSingleMetric(name) as unknown as { labelNames: string[] }).labelNames;
      const names = String(type) === "histogram" ? ["_bucket", "_sum", "_count"].map((end) => name + end) : [name];
      for (const one of names)
        known.set(one, [...labels, "job", "instance", ...(one.endsWith("_bucket") ? ["le"] : [])]);
    }
    const metrics = [...expression.matchAll(/\b(up|(?:tidings|nodejs|process)_\w+)/g)].map(([, name = ""]) => name);
    if (metrics.length === 0) return [`no metric in ${expression}`];
    const lists = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/, */));
    const matched = [...expression.matchAll(/(\w+)(?==~?")/g)].map(([, name = ""]) => name);
    const labels = new Set(metrics.flatMap((name) => known.get(name) ?? []));
    return [
      ...metrics.filter((name) => !known.has(name)),
      ...[...lists, ...matched].filter((name) => !labels.has(name)),
    ];
  }

  interface Rule {
    alert: string;
    expr: string;
    for?: string;
    annotations: { summary: string };
  }
  const rules = (parse(read("deploy/monitoring/alerts.yaml")) as { groups: { rules: Rule[] }[] }).groups.flatMap(
    (group) => group.rules,
  );

  test("the alerts are the table of docs/operations.md, and watch metrics that are served", async () => {
    const table = [
      ...read("docs/operations.md").matchAll(/^\| ([a-z][^|]+) \| `((?:[^`])+)`(?: for (\d+) min)?[^|]*\| [^|]+\|$/gm),
    ]
      .filter(([, , expression = ""]) => / [<>=]=? /.test(expression))
      .map(([, summary, expression = "", minutes]) => [
        summary,
        expression.replaceAll("\\|", "|"),
        minutes && `${minutes}m`,
      ]);
    expect(table.length).toBeGreaterThan(10);
    expect(rules.map((rule) => [rule.annotations.summary, rule.expr, rule.for])).toEqual(table);
    for (const { alert, expr } of rules) expect(await unserved(expr), alert).toEqual([]);
  });

  test("each panel of the dashboard shows metrics that are served", async () => {
    const { panels } = JSON.parse(read("deploy/monitoring/dashboard.json")) as {
      panels: { id: number; title: string; gridPos: { x: number; w: number }; targets?: { expr: string }[] }[];
    };
    const targets = panels.flatMap(({ title, targets }) => (targets ?? []).map(({ expr }) => ({ title, expr })));
    expect(targets.length).toBeGreaterThan(20);
    for (const { title, expr } of targets) expect(await unserved(expr), title).toEqual([]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { title, gridPos } of panels) expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
  });

  test("each metric of ours is in the dashboard", async () => {
    const dashboard = read("deploy/monitoring/dashboard.json");
    const names = (await served.getMetricsAsJSON())
      .map(({ name }) => name)
      .filter((name) => name.startsWith("tidings_"));
    expect(names.filter((name) => !dashboard.includes(name))).toEqual([]);
  });
});
