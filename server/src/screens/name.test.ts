import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkName } from "./name.ts";

describe("a screen's name", () => {
  test.each([
    "Home",
    "home",
    "/home",
    "/profile",
    "profile.personal_details",
    "checkout/pay",
    "/users/:id",
    "Order #12",
    "Über uns",
    "a.b.c",
    "設定",
    "Sign in (step 2)",
    "deadbeef",
    "anonymously",
    "Anonymous donations",
    "Class schedule",
    "class 7.b",
    "users/{id}",
    "Order#12345",
    "settings.privacy.Data",
    "my.account.settings.Privacy",
    "Controller",
    "Activity",
    "RecentActivity",
    "/users/null-island",
    "Save $10",
    "class/7b",
  ])("%j is taken", (name) => expect(checkName(name)).toEqual({ name }));

  test.each([
    "<UIHostingController: 0x7f8a1c0>",
    "Instance of 'HomePage'",
    "[object Object]",
    "MainActivity@3f2a1b",
    "MaterialPageRoute<dynamic>(RouteSettings(none, null), animation: null)",
    "com.acme.app.MainActivity",
    "anonymous",
    "(anonymous)",
    "null",
    "undefined",
    "0x7f8a1c0",
    "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    '{"screen":"home"}',
    "<div>home</div>",
    "Home\u0007page",
    'Optional("Home")',
    "function home() {}",
    "HomeViewController: 0x7f8a1c0",
    "HomeFragment{3f2a1b (uuid)}",
    "com.acme.app.HomeFragment{3f2a1bc}",
    "_HomePageState#1a2b3(ticker inactive)",
    "_TtC4Acme18HomeViewController",
    "class com.acme.app.Main",
    "class Home extends Component { render() {} }",
    "Anonymous Route",
    "_anonymous_",
    "UINavigationController",
    "HomeViewController",
    "MainActivity",
    "HomeFragment",
    "_HomePageState",
    "class HomePage",
    "class _HomePageState",
    "_ModalScopeStatus(active)",
    "null/undefined",
    "/undefined",
    "undefined.null",
    "$0",
    "HomePage$1",
    "com.acme.Main",
    "de.acme.app.MainPage",
    "acme.app.HomeActivity",
  ])("%j is technical", (name) => expect(checkName(name).reason).toBe("technical_name"));

  test.each(["", "   ", "\n\t"])("%j is empty", (name) => expect(checkName(name).reason).toBe("empty"));

  test("200 characters are taken and 201 are too long, whatever bytes they take", () => {
    expect(checkName("é".repeat(200))).toEqual({ name: "é".repeat(200) });
    expect(checkName("😀".repeat(200)).reason).toBeUndefined();
    expect(checkName("é".repeat(201)).reason).toBe("too_long");
  });

  test("path-like and segmented names are always taken", () => {
    const segment = fc.stringMatching(/^[a-z][a-z_]{0,12}$/);
    const named = fc.array(segment, { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(named, fc.constantFrom("/", "."), (parts, separator) => {
        expect(checkName(`/${parts.join(separator)}`).reason).toBeUndefined();
      }),
    );
  });

  test("a path that ends in a word with a capital is a screen, whatever separates its parts", () => {
    const segment = fc
      .stringMatching(/^[a-z]{3,10}$/)
      .filter((word) => !/^(com|org|net|dev|edu|gov|info|biz|java|javax|kotlin|android|androidx)$/.test(word));
    const last = fc.stringMatching(/^[A-Z][a-z]{1,10}$/);
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 3 }),
        last,
        fc.constantFrom(".", "/", " "),
        (parts, word, separator) => {
          const name = [...parts, word].join(separator);
          fc.pre(!/^(class|function)/.test(name));
          expect(checkName(name).reason).toBeUndefined();
        },
      ),
    );
  });

  test("a controller, a private class, a class behind its word and a dumped object are technical, whatever their name", () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{1,8}([A-Z][a-z]{1,8}){0,2}$/);
    const dumped = fc.constantFrom<(name: string) => string>(
      (name) => `${name}ViewController`,
      (name) => `UI${name}Controller`,
      (name) => `class ${name}`,
      (name) => `_${name}`,
      (name) => `_${name}(active)`,
      (name) => `${name}@3f2a1b`,
      (name) => `${name}$1`,
      (name) => `com.acme.app.${name}`,
    );
    fc.assert(
      fc.property(word, dumped, (name, dump) => {
        expect(checkName(dump(name)).reason).toBe("technical_name");
      }),
    );
  });

  test("judging never throws and is the same for a name with spaces around it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(checkName(`  ${text}\n`)).toEqual(checkName(text.trim()));
      }),
    );
  });
});
