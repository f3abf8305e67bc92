/** Returns a function that tests whether a campaign is `self`, or starts it directly or through other campaigns. */
export function leadsTo(self: string, starts: Map<string, string[]>): (campaign: string) => boolean {
  return (campaign) => {
    const seen = new Set<string>();
    const open = [campaign];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (id === self) return true;
      if (seen.has(id)) continue;
      seen.add(id);
      open.push(...(starts.get(id) ?? []));
    }
    return false;
  };
}
