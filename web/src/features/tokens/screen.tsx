import { ActionIcon, Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { chosenRows, forChosen } from '../../components/batch/chosen.ts'
import { CopyDialog } from '../../components/copy/copy-text.tsx'
import type { BulkAction, Facet, RowAction } from '../../components/data-table/columns/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { readAll } from '../../components/data-table/export/read-all.ts'
import { withCounts } from '../../components/data-table/filters/counted-facets.ts'
import { Icon } from '../../components/display/icon.tsx'
import { useFigureAction } from '../../components/figure-link.ts'
import { GuidePlace } from '../../components/guide/guide-place.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { call } from '../../lib/api/api.ts'
import { calls, type Token, tokenStatus } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import { type FirstRead, useReadAhead } from '../../lib/loading/read-ahead.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useStatusChange } from '../../lib/status-change.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { tableQueryAt, useTableState } from '../../lib/url/table-state.ts'
import { useChatActions } from './chat-actions.ts'
import { tokenColumns } from './columns.tsx'
import { useCopyKeys } from './keys/copy-keys.ts'
import { MatchingTokensDialogs, useMatchingTokens } from './matching.tsx'
import { useTokenMessages } from './messages.ts'
import { setTokenStatus } from './set-status.ts'
import classes from './tokens.module.css'
import { useRecentUse } from './use-usage.ts'

const UseToken = onDemand(async () => (await import('./use-token.tsx')).UseToken)
const RotateToken = onDemand(async () => (await import('./keys/rotate.tsx')).RotateToken)
const CreateToken = onDemand(async () => (await import('./form.tsx')).CreateToken)
const TokenPreview = onDemand(async () => (await import('./preview.tsx')).TokenPreview)
const ProjectKeys = onDemand(async () => (await import('./projects/project-keys.tsx')).ProjectKeys)
const EditToken = onDemand(async () => (await import('./form.tsx')).EditToken)

const filters = ['keyword', 'token', 'status', 'group'] as const
const table = { name: 'tokens', filters } as const
type TokenFilter = (typeof filters)[number]

const nameOf = ({ name }: Token): string => name

const Banner = () => {
  const say = useTokenMessages()
  const [open, setOpen] = useState(true)
  if (!open) return null
  return (
    <div className={classes.banner} role="note">
      <Icon name="warning" />
      <p>{say('banner')}</p>
      <ActionIcon aria-label={say('closeBanner')} onClick={() => setOpen(false)}>
        <Icon name="close" size={14} />
      </ActionIcon>
    </div>
  )
}

const useTokenFacets = (): readonly Facet<TokenFilter>[] => {
  const say = useTokenMessages()
  const { data: groups } = useEndpoint(calls.getOwnGroups)
  return [
    {
      kind: 'choice',
      id: 'status',
      label: say('status'),
      options: [
        { value: String(tokenStatus.enabled), label: say('enabled') },
        { value: String(tokenStatus.disabled), label: say('disabled') },
        { value: String(tokenStatus.expired), label: say('expired') },
        { value: String(tokenStatus.exhausted), label: say('exhausted') },
      ],
    },
    {
      kind: 'choice',
      id: 'group',
      label: say('group'),
      single: true,
      options: Object.keys(groups ?? {}).map((name) => ({ value: name, label: name })),
    },
    { kind: 'text', id: 'token', label: say('key'), placeholder: 'sk-…' },
  ]
}

export const firstRead: FirstRead = (read, search) => read(calls.browseTokens, { query: tableQueryAt(table, search) })

export const TokensScreen = () => {
  const say = useTokenMessages()
  const navigate = useNavigate()
  const toFigures = useFigureAction()
  const isMember = useSession()?.organisations === 'belongs'
  const [search, setSearch] = useSearchParams()
  const state = useTableState(table)
  const tokens = useEndpoint(calls.browseTokens, { query: state.query })
  const recent = useRecentUse(tokens.data?.items.map(({ id }) => id) ?? [])
  const facets = useTokenFacets()
  const chatActions = useChatActions()
  const { copyKeys, byHand } = useCopyKeys()
  const matching = useMatchingTokens()
  const [opened, setOpened] = useState<{ what: 'use' | 'rotate'; token: Token }>()
  const [now] = useState(() => Math.floor(Date.now() / 1000))
  const columns = useMemo(() => tokenColumns(say, now, recent), [say, now, recent])
  const { run: setStatus } = useStatusChange(setTokenStatus, [calls.browseTokens])
  const read = useReadAhead()
  const prepare = ({ id }: Token): void => {
    read(calls.getToken, { params: { id } })
    read(calls.getOwnModels)
  }
  const edit = ({ id }: Token): void => setSearch({ edit: String(id), key: undefined })
  const preview = ({ id }: Token): void => setSearch({ key: String(id) })
  const open = ({ id }: Token): void => void navigate({ to: '/token/$id', params: { id: String(id) } })
  const actions = (token: Token, drop: () => void): readonly RowAction[] => [
    { label: say('open'), icon: 'key', onClick: () => open(token) },
    { label: say('edit'), icon: 'edit', onClick: () => edit(token) },
    token.status === tokenStatus.enabled
      ? { label: say('disable'), icon: 'stop', onClick: () => void setStatus(token, tokenStatus.disabled) }
      : { label: say('enable'), icon: 'check', onClick: () => void setStatus(token, tokenStatus.enabled) },
    { label: say('use'), icon: 'code', onClick: () => setOpened({ what: 'use', token }) },
    ...chatActions(token),
    {
      label: say('logs'),
      icon: 'document',
      onClick: () => void navigate({ to: '/log', search: { token_name: token.name } }),
    },
    ...toFigures({ by: 'model', filters: [{ dimension: 'key', is: 'is', values: [String(token.id)] }] }),
    {
      label: say('rotate'),
      icon: 'refresh',
      onClick: () => setOpened({ what: 'rotate', token }),
    },
    {
      label: say('delete'),
      icon: 'trash',
      danger: true,
      onClick: () => matching.remove(chosenRows([token], drop, nameOf)),
    },
  ]
  const bulk: readonly BulkAction<Token>[] = [
    {
      label: say('enableSelected'),
      icon: 'check',
      ...forChosen((chosen) => void matching.setStatus(chosen, tokenStatus.enabled), nameOf),
    },
    {
      label: say('disableSelected'),
      icon: 'stop',
      ...forChosen((chosen) => void matching.setStatus(chosen, tokenStatus.disabled), nameOf),
    },
    { label: say('setGroup'), ...forChosen(matching.setGroup, nameOf) },
    {
      label: say('deleteSelected'),
      icon: 'trash',
      danger: true,
      ...forChosen(matching.remove, nameOf),
    },
  ]
  const add = (variant: 'filled' | 'default') => (
    <Button
      data-create
      variant={variant}
      leftSection={<Icon name="plus" size={14} />}
      onClick={() => setSearch({ add: '1' })}
    >
      {say('add')}
    </Button>
  )
  const close = (): void => setSearch({ add: undefined, edit: undefined })
  const edited = Number(search.edit)
  const shown = tokens.data?.items.find(({ id }) => String(id) === search.key)
  return (
    <>
      <PageHeader title={say('title')} text={say('text')} actions={add('filled')} />
      <GuidePlace />
      <Banner />
      <DataTable
        title={say('title')}
        columns={columns}
        query={tokens}
        state={state}
        rowId={(token) => token.id}
        rowName={(token) => token.name}
        quiet={(token) => token.status !== tokenStatus.enabled}
        search={{ filter: 'keyword', placeholder: say('searchName') }}
        facets={withCounts(facets, calls.countTokens, state.query)}
        tools={(rows) => (
          <Button variant="subtle" leftSection={<Icon name="copy" size={14} />} onClick={() => void copyKeys(rows)}>
            {say('copySelected')}
          </Button>
        )}
        onOpen={preview}
        onEnter={open}
        current={search.key}
        onPoint={prepare}
        rowActions={actions}
        bulkActions={bulk}
        readRows={() =>
          readAll((p, page_size) => call(calls.browseTokens, { query: { ...state.query, p, page_size } }))
        }
        empty={{ icon: 'key', title: say('emptyTitle'), text: say('emptyText'), action: add('default') }}
      />
      {isMember && <ProjectKeys />}
      {search.add && <CreateToken onClose={close} />}
      {shown && <TokenPreview token={shown} onEdit={() => edit(shown)} onClose={() => setSearch({ key: undefined })} />}
      {edited > 0 && <EditToken key={edited} id={edited} onClose={close} />}
      {opened?.what === 'use' && <UseToken token={opened.token} onClose={() => setOpened(undefined)} />}
      {opened?.what === 'rotate' && <RotateToken token={opened.token} onClose={() => setOpened(undefined)} />}
      <CopyDialog {...byHand} />
      <MatchingTokensDialogs {...matching} />
    </>
  )
}
