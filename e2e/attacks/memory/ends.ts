const served: ReadonlySet<number> = new Set([200, 1000])

/**
 * Statuses of refusals, and codes of closes that say why. A client that goes on sending long after it was refused is cut off
 * before it has read why: 1006, or 0 for a call.
 */
const refusals: ReadonlySet<number> = new Set([0, 403, 413, 429, 503, 1006, 1007, 1008, 1009, 1013])

/** Ends of calls and sockets that a gateway under attack may not give. */
export const wrongEnds = (ends: readonly number[]): readonly number[] =>
  ends.filter((end) => !served.has(end) && !refusals.has(end))
