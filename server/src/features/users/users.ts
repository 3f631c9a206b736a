import { createUserAdministration, type UserAdministration } from './administration.ts'
import { createUserMaker, type NewUser } from './create.ts'
import { createUserDirectory, type UserDirectory } from './directory.ts'
import { createUserLinks, type UserLinks } from './links.ts'
import type { UserParts } from './parts.ts'
import { createPasswordReset, type ResetPassword } from './recovery.ts'
import { createUserSaver } from './save.ts'
import { createUserStore } from './store.ts'
import { createWelcomer, type Welcomer } from './welcome.ts'

export interface Users {
  readonly administration: UserAdministration
  readonly directory: UserDirectory
  /** Makes a user with this opening quota and answers the id. Throws AppError('username_taken'). */
  create(user: NewUser): Promise<number>
  /** Makes a user as an administrator asks for; see `Welcomer`. */
  readonly made: Welcomer['made']
  /** Makes a user who comes on their own; see `Welcomer`. */
  readonly welcome: Welcomer['welcome']
  readonly links: UserLinks
  readonly resetPassword: ResetPassword
}

/** Opens everything about users except signing in, which is `accounts`. */
export const openUsers = (parts: UserParts): Users => {
  const store = createUserStore(parts.database)
  const saver = createUserSaver(parts, store)
  const create = createUserMaker(parts, store)
  const { made, welcome } = createWelcomer(parts, store, create)
  return {
    administration: createUserAdministration(parts, { store, saver, welcome: made }),
    directory: createUserDirectory(parts, { store, saver }),
    create,
    made,
    welcome,
    links: createUserLinks(parts, store),
    resetPassword: createPasswordReset(parts, store),
  }
}
