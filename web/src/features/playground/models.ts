import { calls } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'

/** The names of the person's models, each once. */
export const useModels = () => {
  const models = useEndpoint(calls.getOwnModels)
  return { ...models, names: models.data && [...new Set(models.data)] }
}

/** A model that is no longer offered cannot be asked. */
export const offeredModel = (model: string, names: readonly string[] | undefined): string =>
  names && !names.includes(model) ? '' : model
