import {
  type BatchResult,
  type BodyOf,
  batchUsers,
  countUsers,
  createUser,
  deleteUser,
  getUser,
  type Language,
  listUserActivity,
  listUsers,
  manageUser,
  searchUsers,
  setPermissions,
  updateUser,
} from '@tollgate/contract'
import { type RankedActor, rankedActorOf } from '../../http/actor.ts'
import type { On } from '../../http/route.ts'
import { runBatch } from '../../lib/batch.ts'
import type { UserAdministration } from './administration.ts'

/** Does the same to the users of a batch, each as if it had been asked for alone: who may not be touched is refused. */
const runUserBatch = async (
  users: UserAdministration,
  actor: RankedActor,
  { which, act }: BodyOf<typeof batchUsers>,
  language: Language,
): Promise<BatchResult> =>
  runBatch(await users.matching(which), {
    name: ({ username }) => username,
    language,
    value: (row) => (act.kind === 'delete' ? null : act.kind === 'group' ? row.group : row.status),
    act: async ({ id }) => {
      if (act.kind === 'group') await users.update(actor, { id, group: act.group })
      else await users.manage(actor, { id, action: act.kind })
    },
  })

/** The console's calls for managing users. */
export const userRoutes = (on: On, users: UserAdministration): void => {
  on(listUsers, async ({ query }) => ({ data: await users.find({ keyword: '', group: '', ...query }) }))
  on(searchUsers, async ({ query }) => ({ data: await users.find(query) }))
  on(countUsers, async ({ query }) => ({ data: await users.facet(query) }))
  on(listUserActivity, async ({ query }) => ({ data: await users.activity(query.ids) }))
  on(getUser, async (call) => ({ data: await users.get(rankedActorOf(call), call.params.id) }))
  on(createUser, async (call) => {
    return { data: { id: await users.create(rankedActorOf(call), call.body) } }
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
