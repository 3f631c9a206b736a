import type { CloseRefusal } from '../session-protocol.ts'

/** Closes that are ends, not errors (RFC 6455 §7.4.1). */
const calm: ReadonlySet<number> = new Set([1000, 1001, 1005])

/** Patterns of close reasons, and their HTTP statuses. Google's closes have only three codes. */
const subjects: readonly (readonly [RegExp, number])[] = [
  [/api.?key|unauthenticated|credential|unregistered caller|permission/i, 401],
  [/quota|exhausted|rate.?limit/i, 429],
  [/not found|not supported for/i, 404],
]

const byCode: ReadonlyMap<number, number> = new Map([
  [1007, 400],
  [1008, 400],
])

/** HTTP status and message of Google's close, whose reason contains the error; undefined for a normal end. */
export const refusalOfClose = (code: number, reason: string): CloseRefusal | undefined => {
  if (calm.has(code)) return undefined
  const status = subjects.find(([subject]) => subject.test(reason))?.[1] ?? byCode.get(code) ?? 502
  return { status, message: reason || `the WebSocket was closed with ${code}` }
}
