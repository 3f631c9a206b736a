import type { BodyOf, listUserTokens, Page, QueryOf, Token, User, updateToken } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import type { Trace } from '../../db/trace.ts'
import type { Clock } from '../../lib/clock.ts'

/** An admin who looks at a user. */
export interface Viewer {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly ip: string
}

/** Parts of the server that the user page uses. */
export interface UserPageParts {
  readonly database: Database
  /** The user as admins see it, cancelled ones included. Throws AppError when this viewer may not. */
  show(viewer: Viewer, id: number): Promise<User>
  /** A page of a user's tokens, keys masked. */
  tokensOf(userId: number, query: QueryOf<typeof listUserTokens>): Promise<Page<Token>>
  /** Changes a token of a user in the name of the viewer. Throws what a change by the owner would throw. */
  updateToken(viewer: Viewer, user: User, body: BodyOf<typeof updateToken>): Promise<Token>
  /** Ends every session of a user. */
  endSessions(userId: number): Promise<void>
  /** Single sessions: their names in lists, and the end of one; false when there is none. */
  readonly sessions: {
    publicIdOf(idHash: string): string
    endOne(userId: number, publicId: string): Promise<boolean>
  }
  readonly audit: { record(trace: Trace): Promise<void> }
  readonly clock: Clock
}
