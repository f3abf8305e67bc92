/** An error that the person at the terminal can fix: only its message is shown, without a stack, and the exit code is 1. */
export class Refused extends Error {}
