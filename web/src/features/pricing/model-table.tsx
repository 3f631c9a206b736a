import { type ReactNode, useMemo } from 'react'
import { CopyDialog, useCopy } from '../../components/copy/copy-text.tsx'
import type { BulkAction, RowAction } from '../../components/data-table/columns/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { role } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { useLatest } from '../../lib/loading/latest.ts'
import type { TableState } from '../../lib/url/table-state.ts'
import { useCatalogueMessages } from './catalogue/messages.ts'
import type { PricedModel, PricingFilter } from './catalogue.ts'
import { pricingColumns } from './columns.tsx'
import { usePricingMessages } from './messages.ts'
import type { useCatalogue } from './use-catalogue.ts'

interface ModelTableProps {
  catalogue: ReturnType<typeof useCatalogue>
  /** The models that match the filters, in their order. */
  chosen: readonly PricedModel[]
  state: TableState<PricingFilter>
  onGroup: (name: string) => void
  onOpen: (name: string) => void
  onPage: (name: string) => void
  onCalculate: (name: string) => void
  onCompare: (names: readonly string[]) => void
  onEditPrice: (model: PricedModel) => void
  tools: ReactNode
}

/** The catalogue as a table, with everything that a table can do. */
export const ModelTable = (props: ModelTableProps) => {
  const say = usePricingMessages()
  const sayCatalogue = useCatalogueMessages()
  const user = useSession()
  const { copy, byHand } = useCopy()
  const { catalogue, chosen, state } = props
  const { unit, group } = catalogue
  const latestGroup = useLatest(props.onGroup)
  const columns = useMemo(
    () => pricingColumns({ say, sayCatalogue, unit, group, onGroup: (name) => latestGroup.current(name) }),
    [say, sayCatalogue, unit, group, latestGroup],
  )
  const from = (state.page - 1) * state.pageSize
  const page = catalogue.pricing && { items: chosen.slice(from, from + state.pageSize), total: chosen.length }
  const namesOf = (rows: readonly PricedModel[]): readonly string[] => rows.map(({ item }) => item.model_name)
  const actions = (model: PricedModel): readonly RowAction[] => {
    const name = model.item.model_name
    return [
      { label: sayCatalogue('openPage'), icon: 'external', onClick: () => props.onPage(name) },
      { label: say('calculate'), icon: 'chart', onClick: () => props.onCalculate(name) },
      { label: say('copyName'), icon: 'copy', onClick: () => void copy(name) },
      ...(user?.role === role.root
        ? [{ label: say('editPrice'), icon: 'edit', onClick: () => props.onEditPrice(model) } as const]
        : []),
    ]
  }
  const bulk: readonly BulkAction<PricedModel>[] = [
    { label: say('compareSelected'), icon: 'columns', onClick: (rows) => props.onCompare(namesOf(rows)) },
    { label: say('copySelected'), icon: 'copy', onClick: (rows) => void copy(namesOf(rows).join(',')) },
  ]
  return (
    <>
      <DataTable
        title={say('title')}
        columns={columns}
        query={{
          data: page,
          isPending: catalogue.isPending,
          isPlaceholderData: false,
          error: catalogue.error,
          refetch: catalogue.refetch,
        }}
        state={state}
        rowId={({ item }) => item.model_name}
        rowName={({ item }) => item.model_name}
        quiet={({ available, card }) => !available || card.hidden}
        onOpen={({ item }) => props.onOpen(item.model_name)}
        rowActions={actions}
        bulkActions={bulk}
        readRows={async () => ({ rows: chosen, capped: false })}
        empty={{ icon: 'list', title: say('emptyTitle'), text: say('emptyText') }}
        tools={props.tools}
      />
      <CopyDialog {...byHand} />
    </>
  )
}
