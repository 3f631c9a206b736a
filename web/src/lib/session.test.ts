import { expect, it } from 'vitest'
import { safeNext, storedUser, storeUser } from './session.ts'

it.each([
  ['/token?p=2', '/token?p=2'],
  ['//evil.example', undefined],
  ['/\\evil.example', undefined],
  ['https://evil.example', undefined],
  ['/login?next=/', undefined],
  [undefined, undefined],
])('returns after login only to addresses of this site: %s', (next, expected) => {
  expect(safeNext(next)).toBe(expected)
})

it('keeps no more of the user than the console needs', () => {
  storeUser({ id: 1, username: 'root', display_name: 'R', role: 100, status: 1, group: 'default', quota: 5 } as never)
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toEqual(storedUser())
  expect(storedUser()).not.toHaveProperty('quota')
})
