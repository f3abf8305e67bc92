/** Something that the person at the terminal can put right: shown as its sentence, without a stack, with exit code 1. */
export class Refused extends Error {}
