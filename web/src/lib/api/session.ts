import { readJson, writeJson, writeText } from '../preferences/storage.ts'
import { createStore, useStore } from '../preferences/store.ts'
import type { DataOf, StaffPermissions, User } from './contract.ts'

/** The part of the signed-in user that is stored under localStorage `user`. */
export interface SessionUser {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly role: number
  readonly status: number
  readonly group: string
  /** Permissions of an administrator, by area. */
  readonly permissions?: StaffPermissions | null | undefined
  readonly default_password?: boolean
  readonly organisations?: 'belongs' | 'open' | 'closed' | undefined
}

const asUser = (value: unknown): SessionUser | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const user = value as Partial<SessionUser>
  if (typeof user.id !== 'number' || typeof user.username !== 'string') return undefined
  return {
    id: user.id,
    username: user.username,
    display_name: user.display_name ?? '',
    role: user.role ?? 0,
    status: user.status ?? 0,
    group: user.group ?? '',
    permissions: user.permissions,
    ...(user.default_password ? { default_password: true } : {}),
    organisations: user.organisations,
  }
}

export const sessionStore = createStore<SessionUser | undefined>(asUser(readJson('user')))

export const useSession = (): SessionUser | undefined => useStore(sessionStore)
export const storedUser = (): SessionUser | undefined => sessionStore.get()

/** Stores only the fields that the console needs: balance and settings are read when shown. */
export const storeUser = (user: DataOf<never> | User | SessionUser): void => {
  const kept = asUser(user)
  if (!kept) return
  writeJson('user', kept)
  sessionStore.set(kept)
}

/** Stores a user who signed in here, but whose page this is not: other windows and the next load of this one follow. */
export const storeOtherUser = (user: User | SessionUser): void => writeJson('user', asUser(user))

export const forgetUser = (): void => {
  writeText('user', undefined)
  sessionStore.set(undefined)
}

/**
 * Follows sign-ins and sign-outs in other windows of this browser. Calls back when this page's user has signed out or
 * changed; where `mayStay` then says so, the page keeps its user, who is asked to sign in again.
 */
export const followOtherWindows = (onGone: () => void, mayStay = (): boolean => false): void => {
  addEventListener('storage', ({ key }) => {
    // Without a key everything was cleared.
    if (key !== 'user' && key !== null) return
    const before = storedUser()
    const now = asUser(readJson('user'))
    const isGone = before !== undefined && now?.id !== before.id
    if (isGone && mayStay()) return
    sessionStore.set(now)
    if (isGone) onGone()
  })
}

/** An address inside this console, or undefined: `next` must never lead to another site. */
export const safeNext = (next: string | undefined): string | undefined =>
  next !== undefined && /^\/(?![/\\])/.test(next) && !next.startsWith('/login') ? next : undefined
