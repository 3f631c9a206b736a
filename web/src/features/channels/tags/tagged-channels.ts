import { type Channel, calls } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'

export const tagFilters = ['keyword', 'model', 'group'] as const
export type TagFilters = Readonly<Partial<Record<(typeof tagFilters)[number], string>>>

const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())

/**
 * All channels of every tag that has a match, because a tag's action concerns all of them; of channels without a tag
 * only those that match.
 */
const channelsOfTags = (
  all: readonly Channel[],
  fits: (channel: Channel) => boolean,
  isNamed: (tag: string) => boolean,
): Channel[] => {
  const tags = new Set(all.filter(fits).map(({ tag }) => tag ?? ''))
  return all.filter((channel) => (channel.tag ? tags.has(channel.tag) || isNamed(channel.tag) : fits(channel)))
}

/** The channels that tag mode sums up. Keyword and model are looked for by the server, which alone knows the keys. */
export const useTaggedChannels = (filters: TagFilters) => {
  const { keyword = '', model = '', group = '' } = filters
  const groups = group.split(',').filter(Boolean)
  const all = useEndpoint(calls.searchChannels, { query: {} })
  const isSearch = keyword !== '' || model !== ''
  const found = useEndpoint(calls.searchChannels, { query: { keyword, model } }, { enabled: isSearch })
  const { data, error } = isSearch && all.data ? found : all
  const ids = new Set((data ?? []).map(({ id }) => id))
  const fits = (channel: Channel): boolean =>
    ids.has(channel.id) && (groups.length === 0 || channel.group.split(',').some((name) => groups.includes(name)))
  const isNamed = (tag: string): boolean =>
    keyword !== '' && model === '' && groups.length === 0 && contains(tag, keyword)
  return {
    channels: all.data && data && channelsOfTags(all.data, fits, isNamed),
    isPending: all.isPending || (isSearch && found.isPending),
    isPlaceholderData: all.isPlaceholderData || (isSearch && found.isPlaceholderData),
    error,
    refetch: () => Promise.all([all.refetch(), ...(isSearch ? [found.refetch()] : [])]),
  }
}
