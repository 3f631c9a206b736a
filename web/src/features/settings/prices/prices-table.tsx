import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import type { BulkAction, Facet, RowAction } from '../../../components/data-table/columns/column.ts'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import type { IconName } from '../../../components/display/icon.tsx'
import { useLatest } from '../../../lib/loading/latest.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import { useTableState } from '../../../lib/url/table-state.ts'
import { readList } from '../../../lib/url/url-state.ts'
import { priceColumns, type Unit } from './prices-columns.tsx'
import type { PartChanges, PriceMaps } from './prices-maps.ts'
import { usePriceMessages } from './prices-messages.ts'
import { type EditedPrice, modeOf } from './prices-row.ts'

const filters = ['name', 'mode', 'served'] as const
type PriceFilter = (typeof filters)[number]

interface PriceTableProps {
  title: string
  rows: readonly EditedPrice[]
  loading: boolean
  maps: PriceMaps
  facets: boolean
  actions?: (row: EditedPrice) => readonly RowAction[]
  bulk?: readonly BulkAction<EditedPrice>[]
  /** Buttons over the table; those for a selection are given it. */
  tools: (selected: readonly EditedPrice[], find: (name: string) => void) => ReactNode
  above?: ReactNode
  empty: { title: string; text?: string; icon?: IconName }
}

const usePriceFacets = (): readonly Facet<PriceFilter>[] => {
  const say = usePriceMessages()
  const option = (value: string, label: string) => ({ value, label })
  return [
    {
      kind: 'choice',
      id: 'mode',
      label: say('mode'),
      options: [
        option('usage', say('byUsage')),
        option('call', say('byCall')),
        option('list', say('byList')),
        option('none', say('noPrice')),
      ],
    },
    {
      kind: 'choice',
      id: 'served',
      label: say('served'),
      single: true,
      options: [option('yes', say('servedYes')), option('no', say('servedNo'))],
    },
  ]
}

const noFacets: readonly Facet<PriceFilter>[] = []

/** Prices of models as a table of fields, in prices or in ratios; drafts until the card is saved. */
export const PriceTable = (props: PriceTableProps) => {
  const say = usePriceMessages()
  const [search, setSearch] = useSearchParams()
  const state = useTableState({ name: 'prices', filters })
  const facets = usePriceFacets()
  const { maps } = props
  const unit: Unit = search.unit === 'ratio' ? 'ratio' : 'price'

  const keyword = state.filters.name?.trim().toLowerCase() ?? ''
  const modes = readList(state.filters.mode)
  const fits = (row: EditedPrice): boolean =>
    row.name.toLowerCase().includes(keyword) &&
    (modes.length === 0 || modes.includes(modeOf(row))) &&
    (state.filters.served === undefined || (state.filters.served === 'yes') === row.served)
  const found = props.rows.filter(fits)
  const ordered = state.sort?.descending ? found.toReversed() : found
  const from = (state.page - 1) * state.pageSize
  const { quotaPerUnit, writable } = maps
  const latest = useLatest(maps)
  const columns = useMemo(() => {
    const change = (name: string, changes: PartChanges): void => latest.current.change(new Map([[name, changes]]))
    return priceColumns({ say, unit, quotaPerUnit, writable, change })
  }, [say, unit, quotaPerUnit, writable, latest])
  return (
    <DataTable
      title={props.title}
      columns={columns}
      query={{
        data: props.loading ? undefined : { items: ordered.slice(from, from + state.pageSize), total: found.length },
        isPending: props.loading,
        isPlaceholderData: false,
        error: null,
        refetch: () => undefined,
      }}
      state={state}
      rowId={(row) => row.name}
      rowName={(row) => row.name}
      search={{ filter: 'name', placeholder: say('search') }}
      facets={props.facets ? facets : noFacets}
      filters={
        <SegmentedControl
          size="xs"
          aria-label={say('unit')}
          value={unit}
          onChange={(value) => setSearch({ unit: value === 'ratio' ? 'ratio' : undefined })}
          data={[
            { value: 'price', label: say('asPrice') },
            { value: 'ratio', label: say('asRatio') },
          ]}
        />
      }
      tools={(selected) => props.tools(selected, (name) => state.setFilter('name', name))}
      above={props.above}
      readRows={async () => ({ rows: ordered, capped: false })}
      {...(props.actions && maps.writable ? { rowActions: props.actions } : {})}
      {...(props.bulk && maps.writable ? { bulkActions: props.bulk } : {})}
      empty={props.empty}
    />
  )
}
