/** The tags of the service's Liquid. */
export const TAGS = [
  ...["if", "elsif", "else", "endif", "unless", "endunless", "case", "when", "endcase", "for", "endfor", "tablerow"],
  ...["endtablerow", "break", "continue", "cycle", "assign", "capture", "endcapture", "comment", "endcomment", "raw"],
  ...["endraw", "echo", "liquid"],
] as const;

/** The filters of the service's Liquid. A test compares both lists with the service. */
export const FILTERS =
  `default raw json escape xml_escape escape_once newline_to_br strip_html url_encode url_decode cgi_escape uri_escape slugify
  abs at_least at_most ceil divided_by floor minus plus modulo times round
  join last first reverse sort sort_natural size map sum compact concat slice where reject group_by has find find_index uniq
  date date_to_xmlschema date_to_rfc822 date_to_string date_to_long_string
  append prepend strip lstrip rstrip downcase upcase capitalize remove remove_first remove_last replace replace_first replace_last
  split strip_newlines squish normalize_whitespace truncate truncatewords number_of_words array_to_sentence_string
  base64_encode base64_decode sha256 hmac_sha256`.split(/\s+/);

/** Values and operators that are words. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  "and or contains in true false nil null empty blank reversed with".split(" "),
);

/** Names at the root that the language and the service define, besides the data. */
export const ROOT_WORDS = ["forloop", "tablerowloop", "continue", "unsubscribe_url", "preferences_url"] as const;
/** What a person always has, also where no attribute says so. */
export const PERSON_WORDS = ["id", "person_id", "subscribed", "email", "phone", "timezone", "locale"] as const;
/** What Liquid computes of a list or text. */
export const COMPUTED: ReadonlySet<string> = new Set(["size", "first", "last"]);
