import { failureText } from '../captures.ts'
import { withHold } from '../with-hold.ts'
import type { Realtime, RealtimeParts } from './ports.ts'
import { RealtimeCall, type RealtimeSessions } from './realtime-call.ts'

/** Answers sessions over a WebSocket: one hold and one record each. */
export const createRealtime = (parts: RealtimeParts): Realtime => {
  const sessions: RealtimeSessions = { running: new Set(), leaving: false }
  return {
    async answer(call, client, listener) {
      const capture = parts.inspections?.open({ ...call, contentType: 'text/plain' })
      const followed = capture === undefined ? call : { ...call, capture }
      const session = new RealtimeCall({ call: followed, capture }, { client, listener }, sessions, parts)
      const failure = await withHold(session, parts)
      capture?.ended(failure && failureText(failure, undefined))
      return failure
    },
    leave(how) {
      sessions.leaving = true
      for (const session of [...sessions.running]) session.leave(how)
    },
  }
}
