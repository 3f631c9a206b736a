import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { RowAction } from '../../../components/data-table/columns/column.ts'
import { Icon } from '../../../components/display/icon.tsx'
import { notifyInfo } from '../../../lib/notify.tsx'
import { PriceHistorySheet } from '../price-lists/history-sheet.tsx'
import classes from './prices.module.css'
import { AddModel } from './prices-form.tsx'
import { type ModelParts, type PartChanges, type PriceMaps, parts } from './prices-maps.ts'
import { usePriceMessages } from './prices-messages.ts'
import { useCompletionRules, useServedModels } from './prices-models.ts'
import { priceRow } from './prices-row.ts'
import { PriceTable } from './prices-table.tsx'

const allGone: PartChanges = Object.fromEntries(parts.map((part) => [part, null]))

const back = (before: ModelParts): PartChanges => Object.fromEntries(parts.map((part) => [part, before[part] ?? null]))

/** Models that cost what a price list says: nothing in force names them. */
const listedNames = (inForce: ReadonlyMap<string, unknown>, maps: PriceMaps): string[] =>
  [...inForce.keys()].filter((name) => Object.keys(maps.stored(name)).length === 0)

/** Every model that a price map names or an enabled channel serves at a list price, to be edited in place. */
export const VisualPrices = ({ maps, names }: { maps: PriceMaps; names: readonly string[] }) => {
  const say = usePriceMessages()
  const { isPending, served, inForce } = useServedModels()
  const editable = useMemo(() => [...new Set([...names, ...listedNames(inForce, maps)])].sort(), [names, inForce, maps])
  const rules = useCompletionRules(editable)
  const [adding, setAdding] = useState(false)
  const [shown, setShown] = useState<string>()
  const [removed, setRemoved] = useState<{ name: string; before: ModelParts }>()
  const rows = useMemo(
    () => editable.map((name) => priceRow(name, { maps, rules, served, inForce })),
    [editable, maps, rules, served, inForce],
  )

  const change = (name: string, changes: PartChanges): void => maps.change(new Map([[name, changes]]))
  const remove = (name: string): void => {
    setRemoved({ name, before: maps.of(name) })
    change(name, allGone)
  }
  const actions = (name: string, changed: boolean): readonly RowAction[] => [
    ...(changed
      ? [{ label: say('undoModel'), icon: 'history', onClick: () => change(name, back(maps.stored(name))) } as const]
      : []),
    { label: say('history'), icon: 'chart', onClick: () => setShown(name) },
    ...(names.includes(name)
      ? [{ label: say('remove'), icon: 'trash', danger: true, onClick: () => remove(name) } as const]
      : []),
  ]
  return (
    <>
      <p className={classes.text}>{say('visualText')}</p>
      <PriceTable
        title={say('visual')}
        rows={rows}
        loading={isPending}
        maps={maps}
        facets
        actions={(row) => actions(row.name, row.changed)}
        tools={(_selected, find) =>
          maps.writable && (
            <>
              <Button leftSection={<Icon name="plus" size={14} />} onClick={() => setAdding(true)}>
                {say('add')}
              </Button>
              {adding && (
                <AddModel
                  exists={(name) => names.includes(name)}
                  quotaPerUnit={maps.quotaPerUnit}
                  onAdd={(name, changes) => {
                    change(name, changes)
                    find(name)
                    notifyInfo(say('added', { name }))
                  }}
                  onClose={() => setAdding(false)}
                />
              )}
            </>
          )
        }
        above={
          removed && (
            <p className={classes.removed} role="status">
              {say('removed', { name: removed.name })}
              <button
                type="button"
                className="text-button"
                onClick={() => {
                  change(removed.name, back(removed.before))
                  setRemoved(undefined)
                }}
              >
                {say('undo')}
              </button>
            </p>
          )
        }
        empty={{ icon: 'list', title: say('emptyTitle') }}
      />
      {shown !== undefined && <PriceHistorySheet model={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
