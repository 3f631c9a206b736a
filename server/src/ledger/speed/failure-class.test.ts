import { expect, it } from 'vitest'
import { failureClassOf } from './failure-class.ts'

it.each([
  [{ end: 'client_gone', status: 499 }, 'cancelled'],
  [{ status: 403, error_code: 'insufficient_user_quota' }, 'quota'],
  [{ status: 402 }, 'quota'],
  [{ status: 401 }, 'auth'],
  [{ status: 429 }, 'rate_limited'],
  [{ status: 504 }, 'timeout'],
  [{ status: 500, error_code: 'upstream_timeout' }, 'timeout'],
  [{ status: 503 }, 'server_error'],
  [{ status: 0 }, 'server_error'],
  [{ status: 400 }, 'invalid'],
  [{}, 'other'],
])('%j is %s', (other, kind) => {
  expect(failureClassOf(JSON.stringify(other))).toBe(kind)
})

it('is something else where the text says nothing', () => {
  for (const other of ['', 'null', '[]', '7', '{"status":"500"}']) expect(failureClassOf(other)).toBe('other')
})
