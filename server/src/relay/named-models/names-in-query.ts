import { looksLikeModels } from '../../billing/declared/request-members.ts'
import { lowered } from './member-names.ts'

/** Names of models in the query of an address, which begins with its question mark or is empty. */
export const namesInQuery = (query: string): readonly string[] => {
  if (query.length < 2) return []
  return [...new URLSearchParams(query)].flatMap(([name, value]) =>
    looksLikeModels.test(lowered(name)) && value !== '' ? [value] : [],
  )
}
