import { Button, Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { calls } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { decimal } from '../../lib/decimal.ts'
import { useLatest } from '../../lib/loading/latest.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { notifyInfo } from '../../lib/notify.tsx'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { useTableState } from '../../lib/url/table-state.ts'
import { printList, printSort, readSort } from '../../lib/url/url-state.ts'
import { CatalogueCards, WaitingCards } from './catalogue/cards.tsx'
import classes from './catalogue/catalogue.module.css'
import { useCatalogueMessages } from './catalogue/messages.ts'
import { CatalogueToolbar, type Look } from './catalogue/toolbar.tsx'
import { chooseModels, filterNames, type PricedModel } from './catalogue.ts'
import { mostCompared } from './compared.ts'
import { GroupChoice } from './group-choice.tsx'
import { usePricingMessages } from './messages.ts'
import { printPrice, printRatio } from './prices.ts'
import { RatioHelp } from './ratio-help.tsx'
import { PricingSheets } from './sheets.tsx'
import { useCatalogue } from './use-catalogue.ts'

/** Keeps the place of the filters until the values to choose from are known. */
const WaitingFilters = () => (
  <div className={classes.filters} aria-hidden="true">
    <Skeleton h={480} />
  </div>
)

const ModelTable = onDemand(
  async () => (await import('./model-table.tsx')).ModelTable,
  () => <WaitingCards />,
)
const CatalogueFilters = onDemand(
  async () => (await import('./catalogue/filters.tsx')).CatalogueFilters,
  () => <WaitingFilters />,
)
const FilterSheet = onDemand(async () => (await import('./catalogue/filter-sheet.tsx')).FilterSheet)

export const earlyRead: FirstRead = (read) => {
  read(calls.listPricing)
  read(calls.listModelCards)
  // They decide the order of the cards, which are drawn with them.
  read(calls.listModelMeasures)
}

/** The public catalogue of all models with their prices: cards, or a table of the same list. */
export const PricingScreen = () => {
  const say = usePricingMessages()
  const sayCatalogue = useCatalogueMessages()
  const user = useSession()
  const navigate = useNavigate()
  const [search, setSearch] = useSearchParams()
  const catalogue = useCatalogue(search.group)
  const { groups, own, group, unit, models } = catalogue
  const state = useTableState({ name: 'pricing', filters: filterNames })
  const isWide = useMediaQuery('(min-width: 75.01em)', true, { getInitialValueInEffect: false })
  const [hasFilters, setHasFilters] = useState(false)
  const [picked, setPicked] = useState<readonly string[]>([])
  const shownAs: Look = search.view === 'table' ? 'table' : 'cards'

  const chosen = useMemo(() => chooseModels(models, state.filters, state.sort), [models, state.filters, state.sort])

  const look = (name: string): void => {
    const next = groups.find((entry) => entry.name === name)
    if (!next || next.name === group.name) return
    setSearch({ group: name === own.name ? undefined : name })
    notifyInfo(say('viewing', { group: name, ratio: printRatio(next.ratio) }))
  }
  const calculate = (name: string | undefined): void => setSearch({ calculate: name })
  const edit = ({ item }: PricedModel): void =>
    void navigate({ to: '/setting', search: { prices: item.priced ? 'visual' : 'unset', name: item.model_name } })
  const compare = (names: readonly string[]): void => {
    if (names.length < 2 || names.length > mostCompared) notifyInfo(say('compareHowMany', { most: mostCompared }))
    else setSearch({ compare: printList(names) })
  }
  const pick = useCallback(
    (name: string): void =>
      setPicked((before) => (before.includes(name) ? before.filter((other) => other !== name) : [...before, name])),
    [],
  )
  const latestOpen = useLatest((name: string) => setSearch({ model: name }))
  const open = useCallback((name: string): void => latestOpen.current(name), [latestOpen])
  const latestFilter = useLatest(state.setFilter)
  const searchFor = useCallback((text: string): void => latestFilter.current('keyword', text), [latestFilter])

  const ratio = printRatio(own.ratio)
  const title = (
    <div className={classes.intro}>
      <h1>{say('title')}</h1>
      <p>{catalogue.isPending ? say('text') : sayCatalogue('count', { count: models.length, group: group.name })}</p>
      {!catalogue.isPending && <p>{user ? say('ownGroup', { group: own.name, ratio }) : say('visitor', { ratio })}</p>}
    </div>
  )
  const help = (
    <>
      <RatioHelp unit={unit} />
      <Button variant="subtle" disabled={!catalogue.pricing} onClick={() => setSearch({ surcharges: '1' })}>
        {say('surcharges')}
      </Button>
    </>
  )
  const filters = catalogue.isPending ? (
    <WaitingFilters />
  ) : (
    <CatalogueFilters
      models={models}
      filters={state.filters}
      onFilter={state.setFilter}
      printPrice={(price) => (unit.currency ? `$${price}` : printPrice(decimal(price * unit.quotaPerUnit), unit))}
    />
  )
  const { keyword = '', ...others } = state.filters
  const clear = state.filtered && (
    <button type="button" className="text-button" onClick={state.clearFilters}>
      {sayCatalogue('clear')}
    </button>
  )
  return (
    <div className={classes.page}>
      {isWide ? (
        <aside className={classes.side} aria-label={sayCatalogue('filters')}>
          {title}
          {clear}
          {filters}
        </aside>
      ) : (
        <div className={classes.title}>{title}</div>
      )}
      <div>
        <CatalogueToolbar
          count={models.length}
          keyword={keyword}
          onSearch={searchFor}
          sort={printSort(state.sort) ?? ''}
          onSort={(sort) => state.setSort(readSort(sort))}
          look={shownAs}
          onLook={(next) => setSearch({ view: next === 'table' ? next : undefined })}
          picked={picked.length}
          onCompare={() => compare(picked)}
          onFilters={isWide ? undefined : () => setHasFilters(true)}
          filtersOn={Object.values(others).filter(Boolean).length}
          groups={<GroupChoice groups={groups} value={group.name} onChange={look} />}
          tools={
            <Button
              leftSection={<Icon name="chart" size={14} />}
              disabled={models.length === 0}
              onClick={() => calculate(chosen[0]?.item.model_name ?? models[0]?.item.model_name)}
            >
              {say('calculator')}
            </Button>
          }
        />
        {shownAs === 'table' ? (
          <ModelTable
            catalogue={catalogue}
            chosen={chosen}
            state={state}
            onGroup={look}
            onOpen={open}
            onPage={(name) => void navigate({ to: '/pricing/model/$', params: { _splat: name } })}
            onCalculate={calculate}
            onCompare={compare}
            onEditPrice={edit}
            tools={help}
          />
        ) : catalogue.error && catalogue.pricing === undefined ? (
          <ErrorState error={catalogue.error} onRetry={() => void catalogue.refetch()} />
        ) : catalogue.isPending ? (
          <WaitingCards />
        ) : chosen.length === 0 ? (
          <EmptyState
            icon="list"
            title={models.length === 0 ? say('emptyTitle') : sayCatalogue('noMatch')}
            text={models.length === 0 ? say('emptyText') : undefined}
            action={clear}
          />
        ) : (
          <>
            <CatalogueCards models={chosen} unit={unit} picked={picked} onPick={pick} onOpen={open} isWide={isWide} />
            <div className={classes.help}>{help}</div>
          </>
        )}
      </div>
      {hasFilters && !isWide && (
        <FilterSheet count={chosen.length} onClear={state.clearFilters} onClose={() => setHasFilters(false)}>
          {filters}
        </FilterSheet>
      )}
      {catalogue.pricing && <PricingSheets pricing={catalogue.pricing} group={group} unit={unit} onGroup={look} />}
    </div>
  )
}
