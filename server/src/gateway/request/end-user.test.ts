import { longestEndUser } from '@tollgate/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { endUserOf, endUserOfHeader } from './end-user.ts'

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
  [{}, { user: ' '.repeat(2000) }, undefined],
  [{}, { user: ` ${'\n'.repeat(2000)}ann ` }, 'ann'],
  [{}, { user: 'ann', safety_identifier: ' '.repeat(2000) }, 'ann'],
  [{}, { metadata: { user_id: `user_1f_account_2e_session_${'3'.repeat(2000)}` } }, 'user_1f_account_2e'],
  [{}, { metadata: { user_id: JSON.stringify({ device_id: 'd1', session_id: 's'.repeat(2000) }) } }, 'd1'],
] as const)('%j %j is %s', (headers, body, name) => {
  expect(endUserOf(headers, body)).toBe(name)
})

const places = [
  ['user', (id: string) => endUserOf({}, { user: id })],
  ['safety_identifier', (id: string) => endUserOf({}, { safety_identifier: id })],
  ['metadata.user_id', (id: string) => endUserOf({}, { metadata: { user_id: id } })],
  [
    'metadata.user_id in JSON',
    (id: string) => endUserOf({}, { metadata: { user_id: JSON.stringify({ user_id: id }) } }),
  ],
  ['the header', (id: string) => endUserOf({ 'x-tollgate-end-user': id }, {})],
  ['the header alone', (id: string) => endUserOfHeader({ 'x-tollgate-end-user': id })],
] as const

it.each(places)('keeps ids of any length in %s apart within the bound', (_, nameOf) => {
  const units = [1023, 1024, 1025, 1026, 5000, 70_000, 300_000]
  const length = fc.constantFrom(...units)
  const first = fc.constantFrom('a', '\u{1f600}', '\u0000', '\ud83d')
  fc.assert(
    fc.property(length, first, fc.double({ min: 0, max: 1, noNaN: true }), (size, start, where) => {
      const id = `${start}${'b'.repeat(size)}c`
      const at = start.length + Math.floor(where * (size - 1))
      const other = `${id.slice(0, at)}X${id.slice(at + 1)}`
      const name = nameOf(id)
      expect(name).toBe(nameOf(id))
      expect(name?.length).toBeLessThanOrEqual(longestEndUser)
      expect(name?.isWellFormed()).toBe(true)
      expect(name).toMatch(/b~[0-9a-f]{16}$/)
      expect(nameOf(other)).not.toBe(name)
    }),
    { numRuns: 60 },
  )
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
