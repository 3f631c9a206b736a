import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Icon } from '#web/components/display/icon.tsx'
import { PageHeader } from '#web/components/page-header.tsx'
import { TabBar } from '#web/components/tab-bar.tsx'
import { calls } from '#web/lib/api/contract.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { RouteList } from './list.tsx'
import { useRouteMessages } from './messages.ts'

const RouteSheet = onDemand(async () => (await import('./form.tsx')).RouteSheet)
const ModelCalendar = onDemand(async () => (await import('./calendar.tsx')).ModelCalendar)
const HedgingCosts = onDemand(async () => (await import('./hedging.tsx')).HedgingCosts)
const RouteExplanation = onDemand(async () => (await import('./explain.tsx')).RouteExplanation)

export const firstRead: FirstRead = (read) => read(calls.listVirtualModels)

const tabs = ['list', 'explain', 'hedging', 'calendar'] as const

/** The address of the list begins the other one. */
const exactly = { exact: true, includeSearch: true }

const Sheets = () => {
  const [search, setSearch] = useSearchParams()
  const { data } = useEndpoint(calls.listVirtualModels)
  const close = (): void => setSearch({ add: undefined, edit: undefined })
  const edited = data?.find(({ id }) => String(id) === search.edit)
  if (search.add) return <RouteSheet model={undefined} onClose={close} />
  return edited ? <RouteSheet key={edited.id} model={edited} onClose={close} /> : null
}

export const RoutesScreen = () => {
  const say = useRouteMessages()
  const [search, setSearch] = useSearchParams()
  const tab = tabs.find((name) => name === search.tab) ?? 'list'
  const add = (): void => setSearch({ add: '1' })
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say('text')}
        actions={
          <Button data-create variant="filled" leftSection={<Icon name="plus" size={14} />} onClick={add}>
            {say('add')}
          </Button>
        }
      />
      <TabBar label={say('tabs')} current={tabs.indexOf(tab)}>
        {tabs.map((name) => (
          <Link
            key={name}
            to="/route"
            search={name === 'list' ? {} : { tab: name }}
            activeOptions={exactly}
            aria-current={name === tab ? 'page' : undefined}
          >
            {say(`${name}Tab`)}
          </Link>
        ))}
      </TabBar>
      {tab === 'list' && <RouteList onAdd={add} onEdit={(id) => setSearch({ edit: String(id) })} />}
      {tab === 'explain' && <RouteExplanation />}
      {tab === 'hedging' && <HedgingCosts />}
      {tab === 'calendar' && <ModelCalendar />}
      <Sheets />
    </>
  )
}
