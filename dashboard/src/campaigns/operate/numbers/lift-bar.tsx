/** Half of the drawing stands for this difference of rates, or for the widest end of the interval. */
const LEAST = 0.1;
const [WIDTH, HEIGHT] = [200, 20];

/** A difference with its interval beside nothing, as a drawing. The words beside it say the same. */
export function LiftBar({ difference, interval }: { difference: number; interval: number[] }) {
  const [from = 0, to = 0] = interval;
  const most = Math.max(LEAST, Math.abs(from), Math.abs(to));
  const at = (value: number) => WIDTH / 2 + (value / most) * (WIDTH / 2 - 6);
  return (
    <svg
      aria-hidden="true"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      style={{ display: "block" }}
    >
      <path d={`M${WIDTH / 2} 2v${HEIGHT - 4}`} stroke="var(--quiet)" strokeDasharray="2 2" />
      <path d={`M${at(from)} ${HEIGHT / 2}H${at(to)}`} stroke="var(--accent)" strokeWidth="2" />
      <circle cx={at(difference)} cy={HEIGHT / 2} r="4" fill="var(--accent)" />
    </svg>
  );
}
