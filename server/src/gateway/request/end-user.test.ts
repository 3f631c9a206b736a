import { longestEndUser } from '@tollgate/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { endUserOf } from './end-user.ts'

it.each([
  [{}, {}, undefined],
  [{}, { user: 'ann' }, 'ann'],
  [{}, { user: 'ann', safety_identifier: 'hash-of-ann' }, 'hash-of-ann'],
  [{}, { metadata: { user_id: 'customer 7' } }, 'customer 7'],
  [{}, { user: '', metadata: { user_id: 'customer 7' } }, 'customer 7'],
  [{ 'x-tollgate-end-user': ' bob ' }, { user: 'ann' }, 'bob'],
  [{}, { user: 7, safety_identifier: null, metadata: 'none' }, undefined],
  [{}, { user: 'a\nb\u0000' }, 'a b'],
  [{}, { metadata: { user_id: 'user_1f_account_2e_session_3d' } }, 'user_1f_account_2e'],
  [{}, { metadata: { user_id: '{"device_id":"d1","account_uuid":"","session_id":"s1"}' } }, 'd1'],
  [{}, { user: 'x'.repeat(2000) }, undefined],
] as const)('%j %j is %s', (headers, body, name) => {
  expect(endUserOf(headers, body)).toBe(name)
})

it('keeps long ids apart within the bound', () => {
  const id = fc.string({ minLength: 100, maxLength: 900, unit: 'grapheme' })
  fc.assert(
    fc.property(id, (user) => {
      const name = endUserOf({}, { user })
      expect(name?.length ?? 0).toBeLessThanOrEqual(longestEndUser)
      if (user.trim() === user && user.length > longestEndUser && user.length < 1000)
        expect(endUserOf({}, { user: `${user}1` })).not.toBe(name)
    }),
  )
})
