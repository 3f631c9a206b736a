import { useQuery } from '@tanstack/react-query'
import type { ApiError } from '../../../lib/api/api.ts'
import { callWhole } from '../../../lib/api/api.ts'
import { calls } from '../../../lib/api/contract.ts'
import { queryKeyOf } from '../../../lib/query.ts'
import { type Key, optionOf } from '../registry.ts'

/** The server's values as text by key; for secrets only whether one is stored. */
export interface Stored {
  readonly values: ReadonlyMap<Key, string>
  /** Why rows of the database are not in use. */
  readonly problems: ReadonlyMap<Key, string>
  readonly secrets: ReadonlySet<Key>
}

const readAll = async (signal: AbortSignal): Promise<Stored> => {
  const { data = [], stored_secrets } = await callWhole(calls.listOptions, {}, signal)
  return {
    values: new Map(data.map(({ key, value }) => [key, value])),
    problems: new Map(data.flatMap(({ key, problem }) => (problem === undefined ? [] : [[key, problem]]))),
    // The contract's types do not include fields beside `data`.
    secrets: new Set(stored_secrets as readonly Key[]),
  }
}

/**
 * Has the query key of `useEndpoint`, so that refreshing `listOptions` reaches it; it also needs the fields beside
 * `data`.
 */
export const storedKey = [...queryKeyOf(calls.listOptions), 'with secrets'] as const

/** The expected server values after saving, for when reading them fails. */
export const withSaved = (stored: Stored, texts: ReadonlyMap<Key, string>): Stored => {
  const values = new Map(stored.values)
  const secrets = new Set(stored.secrets)
  for (const [key, text] of texts) {
    if (!optionOf(key).secret) values.set(key, text)
    else if (text === '') secrets.delete(key)
    else secrets.add(key)
  }
  return { ...stored, values, secrets }
}

export const useStored = () =>
  useQuery<Stored, ApiError>({
    queryKey: storedKey,
    queryFn: ({ signal }) => readAll(signal),
  })
