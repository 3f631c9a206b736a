import { Button, Skeleton } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { role } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import { useSettings } from '../settings-state.ts'
import classes from './prices.module.css'
import { priceOptions, usePriceMaps } from './prices-maps.ts'
import { usePriceMessages } from './prices-messages.ts'
import { useServedModels } from './prices-models.ts'

/** As high as a table of prices, so that the buttons below stay where they are. */
const waiting = () => <Skeleton h={720} />
const VisualPrices = onDemand(async () => (await import('./prices-visual.tsx')).VisualPrices, waiting)
const PriceLists = onDemand(async () => (await import('../price-lists/price-lists.tsx')).PriceLists, waiting)
const UnsetPrices = onDemand(async () => (await import('./prices-unset.tsx')).UnsetPrices, waiting)

/** Parameters of the address that the two tables use; another tab starts without them. */
const tableParams = ['p', 'sort', 'name', 'mode', 'served', 'version'] as const

const tabs = ['visual', 'unset', 'lists', 'ratios'] as const
type PriceTab = (typeof tabs)[number]

/** A field named by the address is on the tab of the maps. */
const tabOf = (search: Readonly<Record<string, string | undefined>>): PriceTab => {
  const field = Object.values(priceOptions).some((key) => key === search.field)
  return field ? 'ratios' : (tabs.find((tab) => tab === search.prices) ?? 'visual')
}

const panelId = 'price-panel'
const tabId = (tab: PriceTab): string => `price-tab-${tab}`

const TabList = (props: { shown: readonly PriceTab[]; current: PriceTab; onChange: (tab: PriceTab) => void }) => {
  const { shown, current, onChange } = props
  const say = usePriceMessages()
  const { unset } = useServedModels()
  const list = useRef<HTMLDivElement>(null)
  const step = (by: number): void => {
    const next = shown[(shown.indexOf(current) + by + shown.length) % shown.length]
    if (next === undefined) return
    onChange(next)
    list.current?.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus()
  }
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={say('tabs')}
      className={classes.tabs}
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') step(1)
        if (event.key === 'ArrowLeft') step(-1)
      }}
    >
      {shown.map((tab) => (
        <button
          key={tab}
          id={tabId(tab)}
          type="button"
          role="tab"
          aria-selected={tab === current}
          aria-controls={panelId}
          tabIndex={tab === current ? 0 : -1}
          onClick={() => onChange(tab)}
        >
          {say(tab)}
          {tab === 'unset' && unset !== undefined && unset.length > 0 && (
            <StatusBadge tone="warn" label={say('unsetCount', { count: unset.length })} />
          )}
        </button>
      ))}
    </div>
  )
}

/** Prices as a table, those still missing, the price lists, and the maps as JSON (the children). */
export const PriceTabs = ({ children }: { children: ReactNode }) => {
  const say = usePriceMessages()
  const [search, setSearch] = useSearchParams()
  const maps = usePriceMaps()
  const settings = useSettings()
  const shown: readonly PriceTab[] = settings.role >= role.root ? tabs : tabs.filter((name) => name !== 'lists')
  const named = tabOf(search)
  const tab = shown.includes(named) ? named : 'visual'
  const show = (next: PriceTab): void => {
    const cleared = Object.fromEntries([...tableParams, 'field'].map((name) => [name, undefined]))
    setSearch({ ...cleared, prices: next })
  }
  const { names } = maps
  return (
    <div className={classes.card}>
      <TabList shown={shown} current={tab} onChange={show} />
      <div id={panelId} role="tabpanel" aria-labelledby={tabId(tab)}>
        {tab === 'ratios' ? (
          children
        ) : tab === 'lists' ? (
          <PriceLists />
        ) : names === undefined ? (
          <div className={classes.broken} role="alert">
            <p>{say('broken')}</p>
            <Button onClick={() => show('ratios')}>{say('toJson')}</Button>
          </div>
        ) : tab === 'visual' ? (
          <VisualPrices maps={maps} names={names} />
        ) : (
          <UnsetPrices maps={maps} names={names} />
        )}
      </div>
    </div>
  )
}
