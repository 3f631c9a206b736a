import type { BatchResult, BodyOf, batchRedemptions, Language } from '@tollgate/contract'
import type { Actor } from '#server/http/actor.ts'
import { runBatch } from '#server/lib/batch.ts'
import type { Redemptions } from './redemptions.ts'

/** Does the same to the codes of a batch, each as if it had been asked for alone: used ones keep their status. */
export const runRedemptionBatch = async (
  codes: Redemptions,
  actor: Actor,
  { which, act }: BodyOf<typeof batchRedemptions>,
  language: Language,
): Promise<BatchResult> =>
  runBatch(act.kind === 'restore' ? await codes.removed(which) : await codes.matching(which), {
    name: ({ name }) => name,
    language,
    value: ({ status }) => (act.kind === 'status' ? status : null),
    act: async ({ id }) => {
      if (act.kind === 'delete') await codes.remove(actor, id)
      else if (act.kind === 'restore') await codes.restore(actor, id)
      else await codes.setStatus(actor, id, act.status)
    },
  })
