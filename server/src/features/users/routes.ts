import {
  batchUsers,
  countUsers,
  createUser,
  deleteUser,
  getUser,
  listUsers,
  manageUser,
  searchUsers,
  updateUser,
} from '@tollgate/contract'
import type { Caller, On } from '../../http/route.ts'
import type { UserAdministration } from './administration.ts'
import { runUserBatch } from './matching.ts'
import type { Actor } from './rules.ts'

const actorOf = ({ caller, ip }: { caller: Caller; ip: string }): Actor => ({
  id: caller.id,
  username: caller.username,
  role: caller.role,
  ip,
})

/** The console's calls for managing users. */
export const userRoutes = (on: On, users: UserAdministration): void => {
  on(listUsers, async ({ query }) => ({ data: await users.find({ keyword: '', group: '', ...query }) }))
  on(searchUsers, async ({ query }) => ({ data: await users.find(query) }))
  on(countUsers, async ({ query }) => ({ data: await users.facet(query) }))
  on(getUser, async (call) => ({ data: await users.get(actorOf(call), call.params.id) }))
  on(createUser, async (call) => {
    await users.create(actorOf(call), call.body)
    return {}
  })
  on(updateUser, async (call) => {
    await users.update(actorOf(call), call.body)
    return {}
  })
  on(manageUser, async (call) => ({ data: await users.manage(actorOf(call), call.body) }))
  on(batchUsers, async (call) => ({ data: await runUserBatch(users, actorOf(call), call.body, call.language) }))
  on(deleteUser, async (call) => {
    await users.remove(actorOf(call), call.params.id)
    return {}
  })
}
