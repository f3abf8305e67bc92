/** The words that the components add to a message; pass `labels` to the provider for another language. */
export interface Labels {
  close: string;
  /** Names the banner, and a modal or inline message that has no title. */
  message: string;
  inbox: string;
  /** Names the bell, with `count` unread cards. */
  unread: (count: number) => string;
  unreadCard: string;
  emptyInbox: string;
  more: string;
  markRead: string;
  markUnread: string;
}

export const ENGLISH: Labels = {
  close: "Close",
  message: "Message",
  inbox: "Inbox",
  unread: (count) => `${count} unread`,
  unreadCard: "Unread",
  emptyInbox: "Nothing here yet.",
  more: "Show more",
  markRead: "Mark as read",
  markUnread: "Mark as unread",
};
