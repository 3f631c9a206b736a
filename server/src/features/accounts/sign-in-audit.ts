import { role } from '@tollgate/contract'
import type { UserRow } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'

interface Visitor {
  readonly ip: string
  readonly userAgent: string
}

/** Writes who signed in and out as an administrator, and who tried to. */
export interface SignInAudit {
  /** `how`: password, a provider's name, that of another way … */
  started(row: UserRow, visitor: Visitor, how?: string): Promise<void>
  /** A wrong password or second factor was entered for this account; the caller is unauthenticated. */
  refused(row: UserRow, visitor: Visitor, how?: string): Promise<void>
  ended(row: UserRow, visitor: Visitor): Promise<void>
}

/** Only accounts of administrators leave a trace: what ordinary users do with their sessions is their own business. */
export const createSignInAudit = (audit: { record(trace: Trace): Promise<void> }): SignInAudit => {
  const write = async (
    action: string,
    row: UserRow,
    { ip, userAgent }: Visitor,
    more: { authenticated: boolean; after?: Readonly<Record<string, unknown>> },
  ): Promise<void> => {
    if (row.role < role.admin) return
    await audit.record({
      actor: more.authenticated ? { id: row.id, username: row.username } : { id: 0, username: '' },
      action,
      object: 'session',
      objectId: row.id,
      after: { username: row.username, user_agent: userAgent.slice(0, 255), ...more.after },
      ip,
    })
  }

  return {
    started: (row, visitor, how = 'password') =>
      write('session.start', row, visitor, { authenticated: true, after: { how } }),
    refused: (row, visitor, how = 'password') =>
      write('session.refused', row, visitor, { authenticated: false, after: { how } }),
    ended: (row, visitor) => write('session.end', row, visitor, { authenticated: true }),
  }
}
