import type { Adjustment, OutgoingRequest } from '../provider.ts'

/** Lowers a `top_p` of 1 or more to 0.99, because some upstreams refuse 1. */
export const cappedTopP = ({ body }: OutgoingRequest): Adjustment | undefined =>
  typeof body.top_p === 'number' && body.top_p >= 1 ? { members: { top_p: 0.99 } } : undefined
