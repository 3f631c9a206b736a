import type { Adjustment, Ask } from '../provider.ts'

/** Some upstreams refuse a `top_p` of 1. */
export const cappedTopP = ({ body }: Ask): Adjustment | undefined =>
  typeof body.top_p === 'number' && body.top_p >= 1 ? { members: { top_p: 0.99 } } : undefined
