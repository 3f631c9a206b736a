import { calls } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'

const mostListed = 100

/** Channels to choose from, the newest first; `keyword` narrows them where there are more. */
export const useChannelChoices = (keyword = '') => {
  const { data } = useEndpoint(calls.browseChannels, { query: { p: 1, page_size: mostListed, keyword } })
  return data?.items.map(({ id, name }) => ({ id, name })) ?? []
}

/** Writes a channel as `name #3`; as its number where it is not among the listed ones. */
export const useChannelName = (): ((id: number) => string) => {
  const names = new Map(useChannelChoices().map(({ id, name }) => [id, name] as const))
  return (id) => (names.has(id) ? `${names.get(id)} #${id}` : `#${id}`)
}
