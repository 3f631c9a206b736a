import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import type { Session } from './session-of.ts'

/** Sessions of responses: calls that continue one (`previous_response_id`) name no session themselves. In memory, bounded. */
export interface AnsweredSessions {
  note(responseId: string, scope: string, session: Session): void
  /** undefined where the response is unknown in this scope (`scopeOf`). */
  find(responseId: string, scope: string): Session | undefined
}

/** About 5 MB. */
const usualMost = 20_000
/** UTF-16 units; providers' own ids are much shorter. */
const longestId = 256

export const openAnsweredSessions = (most = usualMost): AnsweredSessions => {
  const sessions = createBoundedCache<string, Session>({ entries: most })
  return {
    note(responseId, scope, session) {
      if (responseId.length > longestId) return
      sessions.set(`${scope} ${responseId}`, session)
    },
    find: (responseId, scope) => sessions.get(`${scope} ${responseId}`),
  }
}
