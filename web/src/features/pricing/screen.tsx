import { Button, Skeleton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { CopyDialog, useCopy } from '../../components/copy/copy-text.tsx'
import type { BulkAction, Facet, RowAction } from '../../components/data-table/columns/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { quotaType, role } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { useLatest } from '../../lib/loading/latest.ts'
import { notifyInfo } from '../../lib/notify.tsx'
import { type PricedGroup, type Pricing, usePricing } from '../../lib/pricing.ts'
import { useStatus } from '../../lib/status.ts'
import { formatInteger } from '../../lib/text/format.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { useTableState } from '../../lib/url/table-state.ts'
import { printList } from '../../lib/url/url-state.ts'
import { chooseModels, countValues, filterNames, type PricedModel, type PricingFilter } from './catalogue.ts'
import { pricingColumns } from './columns.tsx'
import { mostCompared } from './compared.ts'
import { GroupChoice } from './group-choice.tsx'
import { usePricingMessages } from './messages.ts'
import { type PriceUnit, pricesIn, printRatio } from './prices.ts'
import classes from './pricing.module.css'
import { RatioHelp } from './ratio-help.tsx'
import { PricingSheets } from './sheets.tsx'

const noGroup: PricedGroup = { name: 'default', ratio: 1, description: '' }

/** The group that the address asks for, else the reader's own, else the first. */
const groupOf = (groups: readonly PricedGroup[], chosen: string | undefined, own: string | undefined): PricedGroup => {
  const named = (name: string | undefined) => groups.find((group) => group.name === name)
  return named(chosen) ?? named(own) ?? groups[0] ?? noGroup
}

const priced = (pricing: Pricing | undefined, group: PricedGroup, unit: PriceUnit): readonly PricedModel[] =>
  (pricing?.models ?? []).map((item) => ({
    item,
    prices: pricesIn(item, group.ratio, unit),
    available: item.enable_groups.includes(group.name),
  }))

const usePricingFacets = (pricing: Pricing | undefined): readonly Facet<PricingFilter>[] => {
  const say = usePricingMessages()
  const models = pricing?.models ?? []
  const choices = (values: readonly string[], label = (value: string): string => value) =>
    countValues(values).map(({ value, count }) => ({ value, count, label: label(value) }))
  const types = models.map(({ quota_type }) => (quota_type === quotaType.call ? 'call' : 'usage'))
  const typeWord = (type: string): string => say(type === 'call' ? 'typeCall' : 'typeUsage')
  const served = models.flatMap(({ enable_groups }) => enable_groups)
  return [
    { kind: 'choice', id: 'type', label: say('type'), options: choices(types, typeWord) },
    { kind: 'choice', id: 'in', label: say('groups'), options: choices(served) },
    { kind: 'choice', id: 'vendor', label: say('vendor'), options: choices(models.map(({ owner }) => owner)) },
  ]
}

const Notes = ({ own, unit }: { own: PricedGroup; unit: PriceUnit }) => {
  const say = usePricingMessages()
  const user = useSession()
  const ratio = printRatio(own.ratio)
  return (
    <div className={classes.notes}>
      <p data-tone={user ? 'good' : 'warn'}>
        {user ? say('ownGroup', { group: own.name, ratio }) : say('visitor', { ratio })}
      </p>
      <p data-tone="info">{say('formula', { perUnit: formatInteger(unit.quotaPerUnit).replaceAll(',', '') })}</p>
    </div>
  )
}

/** The public price list of all models. */
export const PricingScreen = () => {
  const say = usePricingMessages()
  const status = useStatus()
  const user = useSession()
  const navigate = useNavigate()
  const [search, setSearch] = useSearchParams()
  const pricing = usePricing()
  const state = useTableState({ name: 'pricing', filters: filterNames })
  const { copy, byHand } = useCopy()
  const facets = usePricingFacets(pricing.data)

  const groups = pricing.data?.groups ?? []
  const own = groupOf(groups, undefined, user?.group)
  const group = groupOf(groups, search.group, user?.group)
  const { quota_per_unit: quotaPerUnit, display_in_currency: currency } = status
  const unit = useMemo((): PriceUnit => ({ quotaPerUnit, currency }), [quotaPerUnit, currency])
  const models = useMemo(() => priced(pricing.data, group, unit), [pricing.data, group, unit])
  const chosen = chooseModels(models, state.filters, state.sort)
  const from = (state.page - 1) * state.pageSize
  const page = pricing.data && { items: chosen.slice(from, from + state.pageSize), total: chosen.length }

  const look = (name: string): void => {
    const next = groups.find((entry) => entry.name === name)
    if (!next || name === group.name) return
    setSearch({ group: name === own.name ? undefined : name })
    notifyInfo(say('viewing', { group: name, ratio: printRatio(next.ratio) }))
  }
  const calculate = (name: string | undefined): void => setSearch({ calculate: name })
  const latestLook = useLatest(look)
  const columns = useMemo(
    () => pricingColumns({ say, unit, group, onGroup: (name) => latestLook.current(name) }),
    [say, unit, group, latestLook],
  )
  const edit = ({ item }: PricedModel): void =>
    void navigate({ to: '/setting', search: { prices: item.priced ? 'visual' : 'unset', name: item.model_name } })
  const actions = (model: PricedModel): readonly RowAction[] => [
    { label: say('calculate'), icon: 'chart', onClick: () => calculate(model.item.model_name) },
    { label: say('copyName'), icon: 'copy', onClick: () => void copy(model.item.model_name) },
    ...(user?.role === role.root
      ? [{ label: say('editPrice'), icon: 'edit', onClick: () => edit(model) } as const]
      : []),
  ]
  const compare = (rows: readonly PricedModel[]): void => {
    if (rows.length < 2 || rows.length > mostCompared) notifyInfo(say('compareHowMany', { most: mostCompared }))
    else setSearch({ compare: printList(rows.map(({ item }) => item.model_name)) })
  }
  const bulk: readonly BulkAction<PricedModel>[] = [
    { label: say('compareSelected'), icon: 'columns', onClick: compare },
    {
      label: say('copySelected'),
      icon: 'copy',
      onClick: (rows) => void copy(rows.map(({ item }) => item.model_name).join(',')),
    },
  ]
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say('text')}
        actions={
          <>
            <RatioHelp unit={unit} />
            <Button variant="subtle" disabled={!pricing.data} onClick={() => setSearch({ surcharges: '1' })}>
              {say('surcharges')}
            </Button>
            <Button
              leftSection={<Icon name="chart" size={14} />}
              disabled={models.length === 0}
              onClick={() => calculate(chosen[0]?.item.model_name ?? models[0]?.item.model_name)}
            >
              {say('calculator')}
            </Button>
          </>
        }
      />
      {pricing.data && <Notes own={own} unit={unit} />}
      {pricing.isPending && (
        <Skeleton aria-hidden="true">
          <Notes own={own} unit={unit} />
        </Skeleton>
      )}
      <DataTable
        title={say('title')}
        columns={columns}
        query={{
          data: page,
          isPending: pricing.isPending,
          isPlaceholderData: false,
          error: pricing.error,
          refetch: pricing.refetch,
        }}
        state={state}
        rowId={({ item }) => item.model_name}
        rowName={({ item }) => item.model_name}
        quiet={({ available }) => !available}
        search={{ filter: 'keyword', placeholder: say('search') }}
        filters={<GroupChoice groups={groups} value={group.name} onChange={look} />}
        facets={facets}
        onOpen={({ item }) => setSearch({ model: item.model_name })}
        rowActions={actions}
        bulkActions={bulk}
        readRows={async () => ({ rows: chosen, capped: false })}
        empty={{ icon: 'list', title: say('emptyTitle'), text: say('emptyText') }}
      />
      {pricing.data && <PricingSheets pricing={pricing.data} group={group} unit={unit} onGroup={look} />}
      <CopyDialog {...byHand} />
    </>
  )
}
