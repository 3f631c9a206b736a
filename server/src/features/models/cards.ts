import { type ModelCard, type ModelCardChange, modelCardChange } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import { upsert } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { type DefaultModelFacts, endpointsFor } from './facts/model-facts.ts'

type Stated = Partial<Omit<ModelCard, 'model' | 'edited' | 'endpoints' | 'retires' | 'replaced_by'>>

interface Operator {
  readonly id: number
  readonly username: string
  readonly ip: string
}

export interface CardParts {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  readonly clock: Clock
  factsOf(model: string): DefaultModelFacts
}

export interface ModelCards {
  /** One card per name, in the order of the names. */
  list(models: readonly string[]): Promise<ModelCard[]>
  save(model: string, change: ModelCardChange, by: Operator): Promise<ModelCard>
  reset(model: string, by: Operator): Promise<ModelCard>
}

const stated = (change: ModelCardChange): Stated =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Stated

/** Fields that are what the facts say anyway are not stored, so that they follow the facts. */
const differing = (change: ModelCardChange, facts: DefaultModelFacts): ModelCardChange => {
  const known = new Map<string, unknown>(Object.entries({ ...facts, tags: [], hidden: false }))
  const differs = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(known.get(name))
  return modelCardChange.parse(Object.fromEntries(Object.entries(stated(change)).filter(differs)))
}

const cardOf = (model: string, facts: DefaultModelFacts, change: ModelCardChange | undefined): ModelCard => {
  const plain = { model, ...facts, tags: [], hidden: false, edited: change !== undefined }
  const card: ModelCard = { ...plain, ...stated(change ?? {}) }
  return change?.kind === undefined ? card : { ...card, endpoints: endpointsFor(card.kind) }
}

/** Cards of models: what is known, and in its place what operators said. */
export const openModelCards = ({ database, audit, clock, factsOf }: CardParts): ModelCards => {
  const read = async (model?: string): Promise<Map<string, ModelCardChange>> => {
    const all = database.query.selectFrom('model_cards').select(['model', 'fields'])
    const rows = await (model === undefined ? all : all.where('model', '=', model)).execute()
    return new Map(rows.map(({ model: name, fields }) => [name, modelCardChange.parse(JSON.parse(fields))]))
  }
  const write = (
    change: { model: string; before: ModelCardChange | undefined; after: ModelCardChange | undefined },
    { ip, ...actor }: Operator,
  ): Promise<void> =>
    database.transaction(async (trx) => {
      const { model, before, after } = change
      if (after === undefined) await trx.deleteFrom('model_cards').where('model', '=', model).execute()
      else {
        const row = { model, fields: JSON.stringify(after), changed_time: unixSeconds(clock) }
        await upsert(trx, 'model_cards', [row], { key: ['model'], set: ['fields', 'changed_time'] })
      }
      const trace = { object: 'model_card', objectId: model, before: before ?? {}, after: after ?? {}, ip }
      await audit.record(
        { actor, action: after === undefined ? 'model_card.delete' : 'model_card.update', ...trace },
        trx,
      )
    })

  return {
    async list(models) {
      const changes = await read()
      return models.map((model) => cardOf(model, factsOf(model), changes.get(model)))
    },
    async save(model, change, by) {
      const before = (await read(model)).get(model)
      const facts = factsOf(model)
      const fields = differing({ ...before, ...change }, facts)
      const after = Object.keys(fields).length === 0 ? undefined : fields
      if (before !== undefined || after !== undefined) await write({ model, before, after }, by)
      return cardOf(model, facts, after)
    },
    async reset(model, by) {
      const before = (await read(model)).get(model)
      if (before !== undefined) await write({ model, before, after: undefined }, by)
      return cardOf(model, factsOf(model), undefined)
    },
  }
}
