import type { LogFilter } from '../filter.ts'

type Names = Pick<LogFilter, 'requestId' | 'providerRequestId' | 'answerId'>

/** Prefix of answer ids that clients of OpenAI's responses read, if the answer was written in another dialect. */
const responsePrefix = 'resp_'

const inAllPlaces = (id: string): readonly Names[] => [
  { requestId: '', providerRequestId: '', answerId: id },
  { requestId: '', providerRequestId: id, answerId: '' },
  { requestId: id, providerRequestId: '', answerId: '' },
]

/**
 * The filter with the id of a call in the place where some row has it. People search by whatever id they were given: ours, the one in the
 * provider's headers, or that of the answer, which converted clients may read after `resp_`. `count` says how many rows a filter has.
 * A filter without an id, and one that finds something, stay as they are.
 */
export const withNamedCall = async (
  filter: LogFilter,
  count: (filter: LogFilter) => Promise<number>,
): Promise<LogFilter> => {
  const { requestId, providerRequestId = '' } = filter
  const id = requestId || providerRequestId
  const isOne = requestId === '' || providerRequestId === ''
  if (id === '' || !isOne || (await count(filter)) > 0) return filter
  const bare = id.startsWith(responsePrefix) ? id.slice(responsePrefix.length) : ''
  for (const names of [...inAllPlaces(id), ...(bare === '' ? [] : inAllPlaces(bare))]) {
    const other = { ...filter, ...names }
    if ((await count(other)) > 0) return other
  }
  return filter
}
