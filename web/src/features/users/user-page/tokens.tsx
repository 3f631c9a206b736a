import { useNavigate } from '@tanstack/react-router'
import type { Column, Facet } from '../../../components/data-table/columns/column.ts'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { readAll } from '../../../components/data-table/export/read-all.ts'
import { GroupTag } from '../../../components/display/group-tag.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { StatusBadge, type Tone } from '../../../components/display/status-badge.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { call } from '../../../lib/api/api.ts'
import { calls, type Token, tokenStatus } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { useTableState } from '../../../lib/url/table-state.ts'
import { type SayUserPage, useUserPageMessages } from './messages.ts'
import classes from './user-page.module.css'

const filters = ['keyword', 'status'] as const
type TokenFilter = (typeof filters)[number]

const states: readonly { value: number; word: Parameters<SayUserPage>[0]; tone: Tone }[] = [
  { value: tokenStatus.enabled, word: 'tokenEnabled', tone: 'good' },
  { value: tokenStatus.disabled, word: 'tokenDisabled', tone: 'neutral' },
  { value: tokenStatus.expired, word: 'tokenExpired', tone: 'warn' },
  { value: tokenStatus.exhausted, word: 'tokenExhausted', tone: 'warn' },
]

const stateOf = (token: Token) => states.find(({ value }) => value === token.status)

const columnsOf = (say: SayUserPage): readonly Column<Token>[] => [
  {
    id: 'name',
    header: say('name'),
    sortable: true,
    card: 'title',
    cell: (token) => <span className="strong">{token.name}</span>,
    value: (token) => token.name,
  },
  {
    id: 'status',
    header: say('status'),
    sortable: true,
    card: 'title',
    cell: (token) => {
      const state = stateOf(token)
      return <StatusBadge tone={state?.tone ?? 'neutral'} label={state ? say(state.word) : String(token.status)} />
    },
    value: (token) => token.status,
  },
  { id: 'key', header: say('key'), cell: (token) => <span className="mono">sk-{token.key}</span> },
  { id: 'group', header: say('group'), cell: (token) => <GroupTag name={token.group || say('userGroup')} /> },
  {
    id: 'used_quota',
    header: say('used'),
    sortable: true,
    align: 'right',
    cell: (token) => <Quota value={token.used_quota} />,
    value: (token) => token.used_quota,
  },
  {
    id: 'remain_quota',
    header: say('remaining'),
    sortable: true,
    align: 'right',
    cell: (token) =>
      token.unlimited_quota ? <span className="muted">{say('unlimited')}</span> : <Quota value={token.remain_quota} />,
    value: (token) => (token.unlimited_quota ? say('unlimited') : token.remain_quota),
  },
  {
    id: 'accessed_time',
    header: say('accessed'),
    sortable: true,
    cell: (token) =>
      token.accessed_time > token.created_time ? (
        <TimeText at={token.accessed_time} relative />
      ) : (
        <span className="faint">{say('never')}</span>
      ),
    value: (token) => token.accessed_time,
  },
  {
    id: 'expired_time',
    header: say('expires'),
    sortable: true,
    cell: (token) => <TimeText at={token.expired_time} />,
    value: (token) => token.expired_time,
  },
]

/** The user's keys, masked: only their owner may see or change them. */
export const Tokens = ({ userId }: { userId: number }) => {
  const say = useUserPageMessages()
  const navigate = useNavigate()
  const state = useTableState({ name: 'user-tokens', filters })
  const tokens = useEndpoint(calls.listUserTokens, { params: { id: userId }, query: state.query })
  const facets: readonly Facet<TokenFilter>[] = [
    {
      kind: 'choice',
      id: 'status',
      label: say('status'),
      options: states.map(({ value, word }) => ({ value: String(value), label: say(word) })),
    },
  ]
  return (
    <>
      <DataTable
        title={say('tokens')}
        columns={columnsOf(say)}
        query={tokens}
        state={state}
        rowId={(token) => token.id}
        rowName={(token) => token.name}
        quiet={(token) => token.status !== tokenStatus.enabled}
        onOpen={({ id }) =>
          void navigate({ to: '/token/$id', params: { id: String(id) }, search: { user: String(userId) } as never })
        }
        readRows={() =>
          readAll((p, page_size) =>
            call(calls.listUserTokens, { params: { id: userId }, query: { ...state.query, p, page_size } }),
          )
        }
        search={{ filter: 'keyword', placeholder: say('searchToken') }}
        facets={facets}
        empty={{ icon: 'key', title: say('tokensEmpty') }}
      />
      <p className={classes.hint}>{say('tokensHint')}</p>
    </>
  )
}
