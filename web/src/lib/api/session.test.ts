import { expect, it, vi } from 'vitest'
import { followOtherWindows, forgetUser, safeNext, storedUser, storeUser } from './session.ts'

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

it('follows sign-ins and sign-outs in other windows', () => {
  const gone = vi.fn()
  followOtherWindows(gone)
  const person = { id: 7, username: 'alice', display_name: '', role: 1, status: 1, group: 'default' }
  /** As another window would: this one's store knows nothing of it. */
  const elsewhere = (user: object | undefined): void => {
    if (user) localStorage.setItem('user', JSON.stringify(user))
    else localStorage.removeItem('user')
    dispatchEvent(new StorageEvent('storage', { key: 'user' }))
  }
  forgetUser()
  elsewhere(person)
  expect(storedUser()?.id).toBe(7)
  elsewhere({ ...person, display_name: 'Alice' })
  expect(storedUser()?.display_name).toBe('Alice')
  expect(gone).not.toHaveBeenCalled()
  elsewhere({ ...person, id: 8 })
  expect(storedUser()?.id).toBe(8)
  expect(gone).toHaveBeenCalledTimes(1)
  elsewhere(undefined)
  expect(storedUser()).toBeUndefined()
  expect(gone).toHaveBeenCalledTimes(2)
})
