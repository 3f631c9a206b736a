import { role } from '@tollgate/contract'
import type { UserRow } from '../../db/schema.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Log } from '../../lib/log.ts'
import { isPrivateOrLoopback } from '../../lib/security/client-address.ts'
import { verifyPassword } from '../../lib/security/password.ts'
import type { AccountUsers } from './ports.ts'

/** Password of the first root user if INITIAL_ROOT_PASSWORD is not set. */
const defaultRootPassword = '123456'

/** Tells whether a user is root and still has the default password. Each hash is looked at once. */
export const createDefaultPasswordCheck = (): ((row: UserRow) => Promise<boolean>) => {
  let seen: { hash: string; isDefault: Promise<boolean> } | undefined
  return async (row) => {
    if (row.role !== role.root) return false
    if (seen?.hash !== row.password) {
      seen = { hash: row.password, isDefault: verifyPassword(defaultRootPassword, row.password) }
    }
    return seen.isDefault
  }
}

/** The default password is public knowledge: it counts only from this machine and its network, and never through a proxy. */
export const mayUseDefaultPassword = (client: { ip: string; forwarded: boolean }): boolean =>
  !client.forwarded && isPrivateOrLoopback(client.ip)

export interface FirstStartParts {
  readonly users: Pick<AccountUsers, 'anyOfRole'>
  /** Makes a user with its opening quota; throws AppError('username_taken'). */
  create(user: {
    username: string
    password: string
    displayName: string
    role: number
    quota: number
  }): Promise<number>
  /** `config.initialRootPassword`. */
  readonly initialRootPassword: string | undefined
  readonly log: Log
}

const rootQuota = 100_000_000
const shortestPassword = 8

const rootPassword = (password: string | undefined): string => {
  if (password === undefined) return defaultRootPassword
  if (password.length >= shortestPassword) return password
  throw new Error(`INITIAL_ROOT_PASSWORD cannot be used: a password has at least ${shortestPassword} characters.`)
}

/**
 * Makes the root user where there is none. Nodes that start together may all try: the name is unique, so one of them
 * wins and the others find its user.
 */
export const createRootIfMissing = async (parts: FirstStartParts): Promise<void> => {
  if (await parts.users.anyOfRole(role.root)) return
  const password = rootPassword(parts.initialRootPassword)
  const user = { username: 'root', password, displayName: 'Root User', role: role.root, quota: rootQuota }
  try {
    await parts.create(user)
    parts.log.info('root_user_created', { username: user.username })
  } catch (error) {
    const taken = error instanceof AppError && error.code === 'username_taken'
    if (taken && (await parts.users.anyOfRole(role.root))) return
    if (taken) throw new Error('No root user can be created: an ordinary user is called "root".', { cause: error })
    throw error
  }
}

/** Reminds the operator at every start while the default password still opens the root account. */
export const warnOfDefaultPassword = async (parts: Pick<FirstStartParts, 'users' | 'log'>): Promise<void> => {
  const root = await parts.users.anyOfRole(role.root)
  if (root === undefined || !(await createDefaultPasswordCheck()(root))) return
  parts.log.warn('default_root_password', {
    username: root.username,
    advice: 'The password is still 123456: sign in from this machine and change it.',
  })
}
