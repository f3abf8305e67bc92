/**
 * Returns the CPU in ms of the longest turn of the event loop while `work` ran: every other request had to wait for it. It measures the
 * CPU of this thread and not time, so that other work on the machine does not change it; other threads are not counted.
 * It samples once a ms, so up to 1 ms of short turns counts as one; a sample at each turn would keep a core busy while `work` waits.
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

/** Returns the least of up to eight measurements: on a busy machine, and while the code is still compiled, the same work costs up to twice as much. */
export async function leastOf(work: (tries: number) => Promise<void>): Promise<number> {
  let blocked = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 8 && blocked > 30; tries++)
    blocked = Math.min(blocked, await longestTurn(() => work(tries)));
  return blocked;
}
