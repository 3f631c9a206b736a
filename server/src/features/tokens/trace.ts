import type { Trace } from '../../db/trace.ts'
import type { Owner } from './owner.ts'

/** Who did what to which of their tokens. */
export const traceOf = (owner: Owner, action: string, objectId: number): Omit<Trace, 'before' | 'after'> => ({
  actor: { id: owner.id, username: owner.username },
  action: `token.${action}`,
  object: 'token',
  objectId,
  ip: owner.ip,
})
