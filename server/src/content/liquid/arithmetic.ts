import Big from "big.js";

// The library of Liquid computes with JavaScript's numbers: 0.1 plus 0.2 is 0.30000000000000004 there, and 4.35 times 100 is
// 434.99999999999994. In a receipt these would be prices, so the filters compute with decimals.

/** The digits of a quotient that is shown. All of them are right in a number of JavaScript. */
const DIGITS = 15;

type Operation = (a: number, b: number) => number;

/** An operation that is exact for decimals. Of what is infinite there is no result. */
const exact =
  (operate: (a: Big, b: Big) => Big): Operation =>
  (a, b) =>
    Number.isFinite(a) && Number.isFinite(b) ? operate(new Big(a), new Big(b)).toNumber() : Number.NaN;

const plus = exact((a, b) => a.plus(b));
// Like the library's and Ruby's, it has the sign of the divisor.
const modulo = exact((a, b) => a.mod(b).plus(b).mod(b));

function dividedBy(a: number, b: number): number {
  const quotient = a / b;
  // A larger one has no places that are right.
  return Math.abs(quotient) < 10 ** DIGITS ? Number(quotient.toPrecision(DIGITS)) : quotient;
}

/** The filters with two operands. A division by 0 has no result: it gives Infinity or NaN. */
export const OPERATIONS: Record<string, Operation> = {
  plus,
  minus: exact((a, b) => a.minus(b)),
  times: exact((a, b) => a.times(b)),
  divided_by: dividedBy,
  modulo: (a, b) => (b === 0 ? Number.NaN : modulo(a, b)),
};

/** The sum of a list; what is no number counts as 0. */
export const sumOf = (values: unknown[]): number =>
  values.map(Number).reduce((sum, value) => (Number.isNaN(value) ? sum : plus(sum, value)), 0);
