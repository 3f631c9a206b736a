import type { Database } from '../../db/database.ts'
import type { ExplainedKey } from './explain.ts'

/** What an API key allows, as the relay reads it; undefined where there is none. */
export const readExplainedKey = async (
  { query }: Pick<Database, 'query'>,
  id: number,
): Promise<ExplainedKey | undefined> => {
  const row = await query
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select(['tokens.group', 'tokens.model_limits', 'tokens.model_limits_enabled', 'users.group as userGroup'])
    .where('tokens.id', '=', id)
    .where('tokens.deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const models = row.model_limits.split(',').filter((model) => model !== '')
  return {
    group: row.group,
    userGroup: row.userGroup,
    modelLimits: row.model_limits_enabled === 1 ? new Set(models) : undefined,
  }
}
