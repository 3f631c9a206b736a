import type { BatchResult, BodyOf, batchUsers, Language } from '@tollgate/contract'
import type { RankedActor } from '../../http/actor.ts'
import { runBatch } from '../../lib/batch.ts'
import type { UserAdministration } from './administration.ts'

/** Does the same to the users of a batch, each as if it had been asked for alone: who may not be touched is refused. */
export const runUserBatch = async (
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
