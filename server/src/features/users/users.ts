import { createUserAdministration, type UserAdministration } from './administration.ts'
import { createUserMaker, createWelcomer, type NewUser } from './create.ts'
import { createUserDirectory, type UserDirectory } from './directory.ts'
import type { UserParts } from './parts.ts'
import { createUserSaver } from './save.ts'
import { createUserStore } from './store.ts'

export interface Users {
  readonly administration: UserAdministration
  readonly directory: UserDirectory
  /** Makes a user with this opening quota and answers the id. Throws AppError('username_taken'). */
  create(user: NewUser): Promise<number>
}

/** Opens everything about users except signing in, which is `accounts`. */
export const openUsers = (parts: UserParts): Users => {
  const store = createUserStore(parts.database)
  const saver = createUserSaver(parts, store)
  const create = createUserMaker(parts, store)
  const welcome = createWelcomer(parts, create)
  return {
    administration: createUserAdministration(parts, { store, saver, welcome }),
    directory: createUserDirectory(parts, { store, saver }),
    create,
  }
}
