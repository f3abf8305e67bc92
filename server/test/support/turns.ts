/**
 * The CPU in ms that the longest turn of the event loop took while `work` ran: what everybody else had to wait for. CPU of
 * this thread and not time, so that a machine with other work to do does not change it; threads that work beside it are not in it.
 * It looks once a ms, so up to 1 ms of short turns counts as one; a look at each turn would keep a core busy while `work` waits.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let under = true;
  let last = process.threadCpuUsage();
  const turn = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.threadCpuUsage();
    if (under) setTimeout(turn, 1);
  };
  await new Promise<void>((resolve) => setImmediate(resolve));
  last = process.threadCpuUsage();
  setTimeout(turn, 1);
  try {
    await work();
  } finally {
    turn();
    under = false;
  }
  return longest;
}

/** A busy machine makes the same work dearer, at times to its double: the least of three tries is what it costs. */
export async function leastOf(work: (tries: number) => Promise<void>): Promise<number> {
  let blocked = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && blocked > 30; tries++)
    blocked = Math.min(blocked, await longestTurn(() => work(tries)));
  return blocked;
}
