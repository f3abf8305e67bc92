/** Why a name does not enter the catalog. It is no error for the client: a released application can't be changed. */
export type Rejection = "empty" | "too_long" | "technical_name" | "too_many";

export const MOST_CHARACTERS = 200;

/**
 * Names that frameworks report when nobody named the screen: dumps of objects and classes, anonymous routes, bare ids, markup.
 * No author would pick one from a list, and many differ from run to run and would flood the catalog.
 */
const TECHNICAL: RegExp[] = [
  /\p{Cc}/u,
  // <UIHostingController: 0x7f8...>, <div>, </a>
  /^<.*>$/s,
  /<\/?[a-z][^>]*>/i,
  // Instance of 'HomePage', [object Object], [class Foo], function home() {}
  /^instance of\b/i,
  /^\[(object|class|function)\b.*\]$/i,
  /^(async )?function\b|=>/,
  // MainActivity@3f2a1b, Optional(...), MaterialPageRoute<dynamic>(...)
  /@[0-9a-f]{4,16}$/i,
  /^[A-Za-z_][\w.]*<[^>]*>\s*(\(.*\))?$/s,
  /^_*[A-Z]\w*\(.*\)$/s,
  // HomeViewController: 0x7f8a1c0, HomeFragment{3f2a1b (uuid)}, _HomeState#1a2b3
  /:\s*0x[0-9a-f]{4,}/i,
  /^[A-Za-z_][\w.$]*\{[0-9a-f]{5,}\b[^}]*\}/i,
  /^_[A-Z]\w*#[0-9a-f]{5}\b/,
  // class HomePage, class com.acme.Main, class Home { ... }, and a class as Swift's linker names it
  /^class ([\w.]+\.)?_*[A-Z]\w*$/,
  /^class \w+[^{]*\{/,
  /^_Tt[A-Z]/,
  // A class alone: UINavigationController, HomeViewController, MainActivity, HomeFragment, _HomePageState
  /^[A-Z]\w*([a-z]|UI)(Controller|Fragment)$/,
  /^MainActivity$/,
  /^_+[A-Z]\w*$/,
  // $0, and what a compiler names itself: HomePage$1
  /^\$\d+$/,
  /^[A-Za-z_][\w.]*\$\d+(\$\w+)*$/,
  // com.acme.app.MainActivity: a package in lower case that ends in a class. `settings.privacy.Data` is a screen: a package
  // begins with a
  // domain, and a class that stands behind anything else is known by its framework's word
  /^(com|org|net|io|dev|edu|gov|info|biz|java|javax|kotlin|android|androidx)(\.[a-z0-9_]+)+\.[A-Z]\w*(\$\w+)*$/,
  /^[a-z]{2}(\.[a-z0-9_]+){2,}\.[A-Z][a-z0-9_]*[A-Z]\w*(\$\w+)*$/,
  /^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+\.[A-Z]\w*[a-z](Activity|Fragment|Controller)(\$\w+)*$/,
  // anonymous routes
  /^[(<_]*anonymous([ _-]?(route|screen|page|view|function))?[)>_]*$/i,
  /^\(?(null|undefined|nan|nil|none|unknown|unnamed)\)?$/i,
  // null/undefined: a path of nothing but missing values
  /^[/.:]?(null|undefined|nan|nil|none)([/.:_-](null|undefined|nan|nil|none))*\/?$/i,
  // ids alone: UUIDs, hex addresses, long hex digests
  /^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$/i,
  /^0x[0-9a-f]+$/i,
  /^(?=.*\d)[0-9a-f]{16,}$/i,
  // JSON
  /^[{[].*[}\]]$/s,
];

/** Trims a reported name and checks it: `reason` is set where the catalog does not take it. */
export function checkName(reported: string): { name: string; reason?: Rejection } {
  const name = reported.trim();
  if (name === "") return { name, reason: "empty" };
  if ([...name].length > MOST_CHARACTERS) return { name: name.slice(0, MOST_CHARACTERS), reason: "too_long" };
  return TECHNICAL.some((pattern) => pattern.test(name)) ? { name, reason: "technical_name" } : { name };
}
