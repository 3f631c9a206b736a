import { tagsOfKey } from '../../billing/call-tags.ts'
import type { Database } from '../../db/database.ts'
import type { ExplainedKey } from './explain.ts'

/** At most so many keys of one name are looked at. */
const mostOfName = 20

const keys = ({ query }: Pick<Database, 'query'>) =>
  query
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .leftJoin('projects', 'projects.id', 'tokens.project_id')
    .select(['tokens.id', 'tokens.name', 'tokens.tags', 'users.username'])
    .select(['tokens.group', 'tokens.model_limits', 'tokens.model_limits_enabled', 'users.group as userGroup'])
    .select('projects.team_id as teamId')
    .where('tokens.deleted_at', 'is', null)

type Row = Awaited<ReturnType<ReturnType<typeof keys>['execute']>>[number]

const explained = ({ tags, model_limits, model_limits_enabled, teamId, ...row }: Row): ExplainedKey => {
  const models = model_limits.split(',').filter((model) => model !== '')
  const modelLimits = model_limits_enabled === 1 ? new Set(models) : undefined
  return { ...row, teamId: teamId ?? 0, modelLimits, tags: tagsOfKey(tags) }
}

/** Rights of API keys, as the relay reads them: the key with this id, else those with this name; 20 at most. */
export const readExplainedKeys = async (
  database: Pick<Database, 'query'>,
  idOrName: string,
): Promise<readonly ExplainedKey[]> => {
  const id = /^#?(\d{1,15})$/.exec(idOrName)?.[1]
  const byId = id === undefined ? [] : await keys(database).where('tokens.id', '=', Number(id)).execute()
  if (byId.length > 0) return byId.map(explained)
  const byName = keys(database).where('tokens.name', '=', idOrName).orderBy('tokens.id').limit(mostOfName)
  return (await byName.execute()).map(explained)
}
