/** What the content of a message can name besides the person, who is always there. */
export interface LiquidScope {
  /**
   * The data of the call or event that causes the message: undefined where nothing causes it, as with a broadcast. With `event`, the
   * properties of that event; with `fields`, the names to offer. A call may carry others, so `fields` warns about none.
   */
  trigger?: { event?: string | undefined; fields?: string[] | undefined } | undefined;
  /** Earlier steps of a campaign, and what each leaves. */
  steps?: { id: string; fields: ("event" | "response")[]; event?: string | undefined }[] | undefined;
  /** Whether a step gathers a batch. */
  batch?: boolean | undefined;
}
