import type { Facet, FacetCounts } from '../../components/data-table/columns/column.ts'
import { countsOf } from '../../components/data-table/filters/counted-facets.ts'
import { anyProvisional, calls, channelTestLabel, type LogEntry, logEnds } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { type SayLog, useLogMessages } from './messages.ts'
import { otherOf } from './other.ts'

export const logFilters = [
  'range',
  'type',
  'model_name',
  'token_name',
  'group',
  'channel',
  'username',
  'request_id',
  'session',
  'provider_request_id',
  'end',
  'client',
  'min_cost',
  'organisation_id',
  'project_id',
  'member_id',
  'tag',
  'end_user',
  'provisional',
] as const
export type LogFilterName = (typeof logFilters)[number]

const typeOptions = (say: SayLog) =>
  [
    { value: '2', label: say('type2') },
    { value: '5', label: say('type5') },
    { value: '1', label: say('type1') },
    { value: '3', label: say('type3') },
    { value: '4', label: say('type4') },
  ] as const

const endOptions = (say: SayLog) => logEnds.map((end) => ({ value: end, label: say(`end_${end}`) }))

/** The channels of the rows on the page, by name; those of other rows are named where they are counted. */
const channelsOf = (rows: readonly LogEntry[]): { value: string; label: string }[] => [
  ...new Map(
    rows
      .filter(({ channel }) => channel > 0)
      .map(({ channel, channel_name: name }) => [channel, { value: String(channel), label: name || `#${channel}` }]),
  ).values(),
]

/** The programs that made the calls of the page, each once. */
const clientsOf = (rows: readonly LogEntry[]): string[] => [
  ...new Set(rows.flatMap((log) => otherOf(log).client || [])),
]

/** All of them, and the kind that a link asked for. */
const provisionalOptions = (say: SayLog, asked: unknown) => [
  { value: anyProvisional, label: say('provisionalAny') },
  ...(typeof asked === 'string' && asked !== '' && asked !== anyProvisional ? [{ value: asked, label: asked }] : []),
]

/** Filters of the log, given what the list is asked with; suggested are what was used, and what the person can use. */
export const useLogFacets = (
  isAdmin: boolean,
  query: FacetCounts['query'],
  rows: readonly LogEntry[],
): readonly Facet<LogFilterName>[] => {
  const say = useLogMessages()
  const models = useEndpoint(calls.getOwnModels)
  const groups = useEndpoint(calls.getOwnGroups)
  const tokens = useEndpoint(calls.browseTokens, { query: { page_size: 100 } })
  const names = new Set(tokens.data?.items.map((token) => token.name))
  const counts = countsOf(isAdmin ? calls.countLogs : calls.countOwnLogs, query)
  const text = (id: LogFilterName, label: string, placeholder: string, suggestions: readonly string[] = []) =>
    ({ kind: 'text', id, label, placeholder, suggestions, counts, not: true, whole: true }) as const
  return [
    {
      ...text('model_name', say('model'), say('modelName'), models.data),
      // A part of a name also means the names around it.
      whole: false,
      exactly: (name) => `"${name}"`,
    },
    {
      ...text('token_name', say('token'), say('tokenName'), [...names]),
      nameOf: (name) => (name === channelTestLabel ? say('test') : undefined),
    },
    ...(isAdmin
      ? [
          {
            kind: 'choice',
            id: 'channel',
            label: say('channel'),
            single: true,
            options: channelsOf(rows),
            counts,
            not: true,
          } as const,
          text('username', say('user'), say('userName')),
        ]
      : []),
    { kind: 'choice', id: 'type', label: say('type'), single: true, options: typeOptions(say), counts },
    { kind: 'choice', id: 'end', label: say('end'), single: true, options: endOptions(say) },
    { ...text('client', say('client'), say('clientName'), clientsOf(rows)), not: false },
    { kind: 'text', id: 'min_cost', label: say('minCost'), placeholder: say('minCostExample') },
    text('group', say('group'), say('optional'), Object.keys(groups.data ?? {})),
    { kind: 'text', id: 'session', label: say('session'), placeholder: say('sessionId') },
    {
      kind: 'choice',
      id: 'provisional',
      label: say('provisional'),
      single: true,
      options: provisionalOptions(say, query.provisional),
    },
    ...(isAdmin
      ? [
          {
            kind: 'text',
            id: 'provider_request_id',
            label: say('providerRequestId'),
            placeholder: say('providerRequestId'),
          } as const,
        ]
      : []),
  ]
}
