import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Icon } from '../../../components/display/icon.tsx'
import { notifyFailure, notifyInfo } from '../../../lib/notify.tsx'
import { Suggestions } from '../price-lists/suggestions.tsx'
import classes from './prices.module.css'
import { BatchFill } from './prices-batch.tsx'
import { AddModel } from './prices-form.tsx'
import type { PriceMaps } from './prices-maps.ts'
import { usePriceMessages } from './prices-messages.ts'
import { useCompletionRules, useServedModels } from './prices-models.ts'
import { type EditedPrice, priceRow } from './prices-row.ts'
import { PriceTable } from './prices-table.tsx'

const none: readonly string[] = []

interface UnsetProps {
  maps: PriceMaps
  /** Every model that a map names. */
  names: readonly string[]
}

/** Models of enabled channels that have neither price nor ratio in force; drafts stay listed until they are saved. */
export const UnsetPrices = ({ maps, names }: UnsetProps) => {
  const say = usePriceMessages()
  const { served, unset, inForce } = useServedModels()
  const listed = unset ?? none
  const rules = useCompletionRules(listed)
  const [adding, setAdding] = useState(false)
  const [filling, setFilling] = useState<readonly EditedPrice[]>()
  const rows = useMemo(
    () => listed.map((name) => priceRow(name, { maps, rules, served, inForce })),
    [listed, maps, rules, served, inForce],
  )

  const fill = (selected: readonly EditedPrice[]): void => {
    if (selected.length === 0) notifyFailure(say('wantsSelection'))
    else setFilling(selected)
  }
  return (
    <>
      <p className={classes.text}>{say('unsetText')}</p>
      <Suggestions maps={maps} />
      <PriceTable
        title={say('unset')}
        rows={rows}
        loading={unset === undefined}
        maps={maps}
        facets={false}
        bulk={[{ label: say('batchTitle'), icon: 'edit', onClick: (selected) => fill(selected) }]}
        tools={(selected) =>
          maps.writable && (
            <>
              <Button onClick={() => fill(selected)}>{say('batch', { count: selected.length })}</Button>
              <Button leftSection={<Icon name="plus" size={14} />} onClick={() => setAdding(true)}>
                {say('add')}
              </Button>
            </>
          )
        }
        empty={{ icon: 'check', title: say('unsetNone'), text: say('unsetNoneText') }}
      />
      {adding && (
        <AddModel
          exists={(name) => names.includes(name)}
          quotaPerUnit={maps.quotaPerUnit}
          onAdd={(name, changes) => {
            maps.change(new Map([[name, changes]]))
            notifyInfo(say('added', { name }))
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {filling && (
        <BatchFill
          count={filling.length}
          onFill={(changes) => {
            maps.change(new Map(filling.map(({ name }) => [name, changes])))
            notifyInfo(say('batchDone', { count: filling.length }))
          }}
          onClose={() => setFilling(undefined)}
        />
      )}
    </>
  )
}
