/**
 * Queries that official packages send with every call: Anthropic's for its beta API, and Google's for streams of events. They name no key, no
 * model and no other method, so that nothing is looked for in them.
 */
export const usualQueries: ReadonlySet<string> = new Set(['', '?beta=true', '?alt=sse'])
