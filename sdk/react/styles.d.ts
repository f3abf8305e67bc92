// A style sheet has no values; with this its import has a type.
export {};
