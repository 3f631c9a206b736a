import {
  batchUsers,
  countUsers,
  createUser,
  deleteUser,
  getUser,
  listUserActivity,
  listUsers,
  manageUser,
  searchUsers,
  setPermissions,
  updateUser,
} from '@tollgate/contract'
import { rankedActorOf } from '../../http/actor.ts'
import type { On } from '../../http/route.ts'
import type { UserAdministration } from './administration.ts'
import { runUserBatch } from './matching.ts'

/** The console's calls for managing users. */
export const userRoutes = (on: On, users: UserAdministration): void => {
  on(listUsers, async ({ query }) => ({ data: await users.find({ keyword: '', group: '', ...query }) }))
  on(searchUsers, async ({ query }) => ({ data: await users.find(query) }))
  on(countUsers, async ({ query }) => ({ data: await users.facet(query) }))
  on(listUserActivity, async ({ query }) => ({ data: await users.activity(query.ids) }))
  on(getUser, async (call) => ({ data: await users.get(rankedActorOf(call), call.params.id) }))
  on(createUser, async (call) => {
    await users.create(rankedActorOf(call), call.body)
    return {}
  })
  on(updateUser, async (call) => {
    await users.update(rankedActorOf(call), call.body)
    return {}
  })
  on(manageUser, async (call) => ({ data: await users.manage(rankedActorOf(call), call.body) }))
  on(batchUsers, async (call) => ({ data: await runUserBatch(users, rankedActorOf(call), call.body, call.language) }))
  on(setPermissions, async (call) => ({
    data: await users.setPermissions(rankedActorOf(call), call.params.id, call.body.permissions),
  }))
  on(deleteUser, async (call) => {
    await users.remove(rankedActorOf(call), call.params.id)
    return {}
  })
}
