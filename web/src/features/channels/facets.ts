import type { Facet } from '../../components/data-table/columns/column.ts'
import { useChannelTypes } from '../../components/providers/channel-types.ts'
import { calls, channelStatus } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useChannelMessages } from './messages.ts'

/** The filters of the list, as they stand in its address. */
export const channelFilters = ['keyword', 'model', 'status', 'type', 'group', 'tag', 'attention'] as const
export type ChannelFilterName = (typeof channelFilters)[number]

/** Filters of the list of channels. */
export const useChannelFacets = (): readonly Facet<ChannelFilterName>[] => {
  const say = useChannelMessages()
  const { types, labelOf } = useChannelTypes()
  const { data: groups } = useEndpoint(calls.listGroups)
  const option = (value: number, label: string) => ({ value: String(value), label })
  return [
    {
      kind: 'choice',
      id: 'status',
      label: say('status'),
      options: [
        option(channelStatus.enabled, say('enabled')),
        option(channelStatus.disabled, say('disabled')),
        option(channelStatus.autoDisabled, say('autoDisabled')),
      ],
    },
    {
      kind: 'choice',
      id: 'type',
      label: say('type'),
      options: types.map(({ type }) => option(type, labelOf(type) ?? say('unknownType'))),
    },
    {
      kind: 'choice',
      id: 'group',
      label: say('group'),
      options: (groups ?? []).map((name) => ({ value: name, label: name })),
    },
    // Which tags there are is known when they are counted.
    { kind: 'choice', id: 'tag', label: say('tag'), options: [] },
    { kind: 'text', id: 'model', label: say('model'), placeholder: say('modelKeyword'), not: true },
  ]
}

/** Keeps channels that need attention. It has no values to count. */
export const useAttentionFacet = (): Facet<ChannelFilterName> => {
  const say = useChannelMessages()
  return {
    kind: 'choice',
    id: 'attention',
    label: say('attention'),
    single: true,
    options: [{ value: '1', label: say('needed') }],
  }
}
