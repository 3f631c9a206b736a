import { Button, TextInput } from '@mantine/core'
import { isLimitSubject } from '@tollgate/contract/limits/limit-choices'
import { useState } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import records from '../../components/display/record-list.module.css'
import { ConfirmAction } from '../../components/form/confirm-action.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import type { Limit, LimitStanding } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { mayWrite, ReadOnlyPage } from '../../lib/api/staff.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { useAction, useEndpoint } from '../../lib/query.ts'
import { useTimeZone, zoneName } from '../../lib/time/time-zone.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { newLimit, valuesOf } from './fields.ts'
import { limitCallsNow, useLimitCalls } from './limit-calls.ts'
import classes from './limits.module.css'
import { useLimitMessages } from './messages.ts'
import { LimitRow } from './row.tsx'

const LimitForm = onDemand(async () => (await import('./form.tsx')).LimitForm)

/** How often it is read again where limits stand. */
const refreshEveryMs = 5000

export const firstRead: FirstRead = (read) => {
  const { list, standing } = limitCallsNow()
  read(list)
  read(standing)
}

const useLimits = () => {
  const { list, standing } = useLimitCalls()
  const standings = useEndpoint(standing, {}, { refreshEveryMs })
  return { limits: useEndpoint(list), standings: standings.data ?? [], isPending: standings.isPending }
}

/** The form for a new limit, on a subject that the address may name, or for one that is there. */
const Sheets = () => {
  const [search, setSearch] = useSearchParams()
  const zone = zoneName(useTimeZone())
  const { limits } = useLimits()
  const close = (): void => setSearch({ add: undefined, edit: undefined, kind: undefined, value: undefined })
  const edited = limits.data?.find(({ id }) => String(id) === search.edit)
  if (search.add) {
    const kind = isLimitSubject(search.kind) ? search.kind : ''
    const initial = newLimit({ kind, value: kind === '' ? '' : (search.value ?? '') }, zone)
    return <LimitForm limit={undefined} initial={initial} onClose={close} />
  }
  if (edited === undefined) return null
  return <LimitForm key={edited.id} limit={edited} initial={valuesOf(edited)} onClose={close} />
}

const fits = (limit: Limit, standing: LimitStanding | undefined, text: string): boolean =>
  [limit.name, ...(standing?.subjects ?? []).flatMap(({ name, value }) => [name, value])].some((part) =>
    part.toLowerCase().includes(text.toLowerCase()),
  )

const List = ({ onAdd, onEdit }: { onAdd: () => void; onEdit: (id: number) => void }) => {
  const say = useLimitMessages()
  const { remove: removeCall, list, standing } = useLimitCalls()
  const { limits, standings, isPending } = useLimits()
  const [text, setText] = useState('')
  const [removed, setRemoved] = useState<Limit>()
  const name = removed?.name ?? ''
  const remove = useAction(removeCall, { refresh: [list, standing], done: say('deleted', { name }) })
  if (limits.error && !limits.data) return <ErrorState error={limits.error} onRetry={() => void limits.refetch()} />
  // A limit without its standing would say that nobody has used any of it.
  if (limits.data === undefined || isPending) return <div className={records.waiting} aria-busy="true" data-waiting />
  if (limits.data.length === 0) {
    const add = <Button onClick={onAdd}>{say('add')}</Button>
    return <EmptyState icon="gauge" title={say('emptyTitle')} text={say('emptyText')} action={add} />
  }
  const standingOf = new Map(standings.map((one) => [one.id, one]))
  const shown = limits.data.filter((limit) => fits(limit, standingOf.get(limit.id), text.trim()))
  return (
    <section className="panel" aria-label={say('title')}>
      <div className={classes.tools}>
        <TextInput
          type="search"
          aria-label={say('search')}
          placeholder={say('search')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </div>
      {shown.length === 0 ? (
        <EmptyState icon="gauge" title={say('noneFits')} />
      ) : (
        <ul className={records.list}>
          {shown.map((limit) => (
            <LimitRow
              key={limit.id}
              limit={limit}
              standing={standingOf.get(limit.id)}
              onEdit={() => onEdit(limit.id)}
              onRemove={() => setRemoved(limit)}
            />
          ))}
        </ul>
      )}
      <ConfirmAction
        opened={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={say('deleteTitle', { name })}
        effect={say('deleteEffect')}
        confirmLabel={say('delete')}
        danger
        onConfirm={() => removed && remove.submit({ params: { id: removed.id } })}
      />
    </section>
  )
}

/** All limits and budgets for administrators, those on own keys for users. */
export const LimitsScreen = () => {
  const say = useLimitMessages()
  const [, setSearch] = useSearchParams()
  const { isAdmin } = useLimitCalls()
  const mayChange = mayWrite(useSession(), 'limits')
  const add = (): void => setSearch({ add: '1' })
  return (
    <ReadOnlyPage value={isAdmin && !mayChange}>
      <PageHeader
        title={say('title')}
        text={say(isAdmin ? 'text' : 'ownText')}
        actions={
          <Button data-create variant="filled" leftSection={<Icon name="plus" size={14} />} onClick={add}>
            {say('add')}
          </Button>
        }
      />
      <List onAdd={add} onEdit={(id) => setSearch({ edit: String(id) })} />
      <Sheets />
    </ReadOnlyPage>
  )
}
