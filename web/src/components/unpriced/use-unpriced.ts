import { calls, type DataOf, type listUnpricedModels } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'

export type UnpricedModel = DataOf<typeof listUnpricedModels>[number]

/** Longest list of names in an address. */
const mostNameCharacters = 5000

/** As many names as an address can hold. */
const namesIn = (models: readonly string[]): string => {
  let text = ''
  for (const model of models) {
    if (text.length + model.length >= mostNameCharacters) break
    text += text === '' ? model : `,${model}`
  }
  return text
}

const none: readonly UnpricedModel[] = []

/** Models without a price among these names, or among all that are served; undefined while they are not known. */
export const useUnpriced = (models?: readonly string[]): readonly UnpricedModel[] | undefined => {
  const query = models === undefined ? {} : { query: { models: namesIn(models) } }
  const { data } = useEndpoint(calls.listUnpricedModels, query, { enabled: models?.length !== 0 })
  return models?.length === 0 ? none : data
}
