import type { BatchResult, BodyOf, batchTokens, Language } from '@tollgate/contract'
import { AppError } from '../../lib/app-error.ts'
import { runBatch } from '../../lib/batch.ts'
import type { TokenService } from './service.ts'
import type { Owner } from './trace.ts'

/** Does the same to the owner's tokens of a batch, each as if it had been asked for alone. */
export const runTokenBatch = async (
  tokens: TokenService,
  owner: Owner,
  { which, act }: BodyOf<typeof batchTokens>,
  language: Language,
): Promise<BatchResult> => {
  const batch = act.kind === 'restore' ? await tokens.removed(owner, which) : await tokens.matching(owner, which)
  if ('ids' in which && batch.rows.length === 0) throw new AppError('not_found')
  return runBatch(batch, {
    name: ({ name }) => name,
    language,
    value: (row) => (act.kind === 'status' || act.kind === 'group' ? row[act.kind] : null),
    act: async ({ id }) => {
      if (act.kind === 'delete') await tokens.remove(owner, id)
      else if (act.kind === 'restore') await tokens.restore(owner, id)
      else if (act.kind === 'group') await tokens.update(owner, { id, group: act.group })
      else await tokens.setStatus(owner, id, act.status)
    },
  })
}
