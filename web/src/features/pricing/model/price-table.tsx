import { useState } from 'react'
import { ScrollFrame } from '../../../components/scroll-frame.tsx'
import { type PricingItem, quotaType } from '../../../lib/api/contract.ts'
import type { PricedGroup } from '../../../lib/pricing.ts'
import { nothing, Price } from '../cells.tsx'
import { usePricingMessages } from '../messages.ts'
import { type PriceName, type PriceUnit, priceNames, pricesIn, printRatio } from '../prices.ts'
import { useModelPageMessages } from './messages.ts'
import classes from './model.module.css'
import { Panel } from './panel.tsx'

/** Relative to the model ratio; undefined for what has none of its own. */
const ratioOf = (item: PricingItem, name: PriceName): number | undefined => {
  if (item.quota_type === quotaType.call) return undefined
  const { audio_ratio: audio, audio_completion_ratio: spoken } = item
  const ratios: Readonly<Record<PriceName, number | undefined>> = {
    call: undefined,
    minute: undefined,
    million_characters: undefined,
    page: undefined,
    query: undefined,
    picture: undefined,
    input: item.model_ratio,
    output: item.completion_ratio,
    cached: item.cache_ratio,
    cacheWrite: item.cache_creation_ratio,
    audioInput: audio,
    audioOutput: audio === undefined || spoken === undefined ? undefined : audio * spoken,
  }
  return ratios[name]
}

/** The head of the table says once for how many tokens; each language ends a part's name with it. */
const withoutUnit = (name: string): string => name.replace(/\s*\/ 1\D*$/, '')

/** Price of each part in every group that serves the model, the chosen group first; ratios on demand. */
export const PriceTable = (props: { item: PricingItem; groups: readonly PricedGroup[]; unit: PriceUnit }) => {
  const say = useModelPageMessages()
  const sayPrices = usePricingMessages()
  const [hasRatios, setHasRatios] = useState(false)
  const { item, groups, unit } = props
  const columns = groups.map((group) => ({ group, prices: pricesIn(item, group.ratio, unit) }))
  const names = priceNames.filter((name) => columns.some(({ prices }) => prices[name] !== undefined))
  return (
    <Panel
      title={say('price')}
      sub={unit.currency ? say('priceSub') : say('priceSubQuota')}
      action={
        <button type="button" className="text-button" onClick={() => setHasRatios(!hasRatios)}>
          {hasRatios ? say('hideRatios') : say('showRatios')}
        </button>
      }
    >
      {columns.length === 0 ? (
        <p className={`muted ${classes.body}`}>{sayPrices('noGroups')}</p>
      ) : (
        <ScrollFrame label={say('price')} className={classes.scroll}>
          <table className={classes.table} aria-label={say('price')}>
            <thead>
              <tr>
                <th scope="col">{say('ofKind')}</th>
                {hasRatios && <th scope="col">{sayPrices('ratio')}</th>}
                {columns.map(({ group }) => (
                  <th key={group.name} scope="col">
                    {say('group', { group: group.name })}
                    {hasRatios && ` ×${printRatio(group.ratio)}`}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {names.map((name) => {
                const ratio = ratioOf(item, name)
                return (
                  <tr key={name}>
                    <th scope="row">{withoutUnit(sayPrices(name))}</th>
                    {hasRatios && <td>{ratio === undefined ? nothing : printRatio(ratio)}</td>}
                    {columns.map(({ group, prices }, place) => {
                      const price = prices[name]
                      return (
                        <td key={group.name} data-first={place === 0 || undefined}>
                          {price === undefined ? nothing : <Price price={price} unit={unit} />}
                        </td>
                      )
                    })}
                  </tr>
                )
              })}
            </tbody>
          </table>
        </ScrollFrame>
      )}
    </Panel>
  )
}
