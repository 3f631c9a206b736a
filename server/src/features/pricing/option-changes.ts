import { type ModelPriceKey, modelPriceKeys } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import type { Database } from '../../db/database.ts'
import { containsText } from '../../db/dialect.ts'

/** A change of one model's figure in an option. */
export interface FigureChange {
  readonly key: ModelPriceKey
  /** Milliseconds since 1970. */
  readonly at: number
  /** Absent where the option did not name the model. */
  readonly before: number | undefined
}

const mostEntries = 200
const trailKeys: ReadonlyMap<string, ModelPriceKey> = new Map(modelPriceKeys.map((key) => [key, key]))

/** Changes of a model's figures in the price options, from the trail of changes, the newest first. */
export const readOptionChanges = async ({ query }: Database, model: string): Promise<readonly FigureChange[]> => {
  const rows = await query
    .selectFrom('audit')
    .select(['created_at', 'object_id', 'before', 'after'])
    .where('object', '=', 'option')
    .where('object_id', 'in', [...trailKeys.keys()])
    .where((is) => is.or([containsText('before', `/${model}"`), containsText('after', `/${model}"`)]))
    .orderBy('id', 'desc')
    .limit(mostEntries)
    .execute()
  return rows.flatMap(({ created_at, object_id, before, after }) => {
    const key = trailKeys.get(object_id)
    const field = `${object_id}/${model}`
    const [old, now] = [ownMember(parseObject(before), field), ownMember(parseObject(after), field)]
    if (key === undefined || (old === undefined && now === undefined)) return []
    return [{ key, at: created_at * 1000, before: typeof old === 'number' ? old : undefined }]
  })
}
